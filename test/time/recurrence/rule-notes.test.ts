import { readRecurrence } from '../../../src/time/recurrence'

const read = (rrule: string, now: string) => {
  const reading = readRecurrence({ rrule, timezone: 'America/New_York', language: 'en', now: new Date(now) })
  if (!reading.ok) throw new Error(reading.hint)
  return reading
}

test('a run of a rule that the clocks skip is told: by the run after it, and in words', () => {
  const { nextRuns, notes } = read('FREQ=DAILY;INTERVAL=2;BYHOUR=2;BYMINUTE=30', '2027-03-10T15:00:00Z')
  expect(nextRuns.slice(0, 3)).toEqual([
    { at: new Date('2027-03-12T07:30:00Z') },
    { at: new Date('2027-03-16T06:30:00Z'), note: 'dst_gap' },
    { at: new Date('2027-03-18T06:30:00Z') },
  ])
  expect(notes[0]).toBe('2027-03-14 02:30 does not exist there (clocks go forward), so that run is skipped')
})

test('the last clock of a day that is skipped is told by the next day', () => {
  const { nextRuns } = read('FREQ=DAILY;INTERVAL=2;BYHOUR=1,2;BYMINUTE=30', '2027-03-12T15:00:00Z')
  expect(nextRuns.slice(0, 3)).toEqual([
    { at: new Date('2027-03-14T06:30:00Z') },
    { at: new Date('2027-03-16T05:30:00Z'), note: 'dst_gap' },
    { at: new Date('2027-03-16T06:30:00Z') },
  ])
})

test('a rule that leaves the day of a change out has nothing to tell of it', () => {
  const { nextRuns, notes } = read(
    'FREQ=DAILY;INTERVAL=2;BYHOUR=2;BYMINUTE=30;UNTIL=20270401T000000Z',
    '2027-03-11T15:00:00Z',
  )
  expect(nextRuns.map(({ note }) => note)).toEqual(Array(5).fill(undefined))
  expect(notes.filter((note) => note.startsWith('2027-03'))).toEqual([])
})

test('months without such a day are told of a rule too', () => {
  expect(read('FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31;BYHOUR=9', '2027-01-10T15:00:00Z').notes).toContain(
    'Months without a day 31 are left out',
  )
  expect(read('FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=9', '2027-01-10T15:00:00Z').notes).toEqual([])
})
