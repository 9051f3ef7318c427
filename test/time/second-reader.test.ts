import * as fc from 'fast-check'
import { DateTime } from 'luxon'
import { parseTimeExpression } from '../../src/time/parse-time-expression'
import type { TimeReading, TimeRefusal } from '../../src/time/parse-time-expression'
import { NOW, ZONE } from './cases'
import { NEVER_OVERRULED, READ_BY_SECOND, STILL_REFUSED } from './second-reader-cases'

const now = new Date(NOW)
const read = (text: string, zone = ZONE): TimeReading | TimeRefusal => parseTimeExpression({ text, now, zone })

describe('the second reader of English', () => {
  it.each(Object.entries(READ_BY_SECOND))('reads %s', (text, expected) => {
    expect(read(text)).toMatchObject({ ok: true, instant: new Date(expected), bySecondReader: true })
  })

  it.each(Object.entries(STILL_REFUSED))('leaves %s refused: %s', (_why, text) => {
    expect(read(text)).toMatchObject({ ok: false, code: 'not_understood' })
  })

  it.each(Object.entries(NEVER_OVERRULED))('does not overrule our refusal of %s: %s', (text, code) => {
    expect(read(text)).toMatchObject({ ok: false, code })
  })

  it('is not asked where our grammar has an answer, or about Chinese', () => {
    for (const text of ['tomorrow at 9am', '18 November 2026 at 5pm EST', '2026-11-18 17:30'])
      expect(read(text)).not.toHaveProperty('bySecondReader')
    expect(read('18 Nov 2026 5pm EAT 开会')).not.toHaveProperty('bySecondReader')
  })

  it('leaves the hour of a day, the year and a skipped hour to our own calendar', () => {
    expect(read('November 18, 2026 CE')).toMatchObject({ isWholeDay: true, note: 'read as 09:00' })
    expect(read('Jan 5 ∙ 17:30')).toMatchObject({ instant: new Date('2026-01-05T17:30:00+08:00') })
    expect(read('Mar 8, 2026 ∙ 02:30', 'America/New_York')).toMatchObject({
      local: '2026-03-08T03:30:00-04:00',
      note: expect.stringContaining('skipped') as string,
    })
    expect(read('Tue, 18 Nov 2026 17:30 EAT')).toMatchObject({ ok: true, note: 'that date is a Wednesday' })
  })
})

const OFFSETS = { EAT: 180, PKT: 300, NPT: 345, WAT: 60, COT: -300, ACST: 570, MYT: 480, CLST: -180, '+09': 540 }
const DAYS = ['d LLLL yyyy', 'LLLL d, yyyy', 'ccc, dd LLL yyyy', 'yyyy-MM-dd', 'yyyy/M/d', 'dd-LLL-yyyy', 'yyyy.MM.dd']
const CLOCKS = ['HH:mm', 'HH:mm:ss', 'h:mm a', 'h a']
const NOISE = ['before', 'after', 'next', 'every', 'or', 'to', 'in', 'ago', 'not', 'eat', '5', '-', '9-5', 'noon']

interface Piece {
  kind: 'day' | 'clock' | 'zone' | 'noise'
  text: string
  /** What luxon reads it with; the offset for a zone. */
  by: string
}
const piece = (kind: Piece['kind'], texts: fc.Arbitrary<[string, string]>): fc.Arbitrary<Piece> =>
  texts.map(([text, by]) => ({ kind, text, by }))
const moment = fc
  .date({ min: new Date('2025-11-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((date) => DateTime.fromJSDate(date, { zone: 'utc' }).setLocale('en'))
const shaped = (formats: string[]): fc.Arbitrary<[string, string]> =>
  fc.tuple(moment, fc.constantFrom(...formats)).map(([then, format]) => [then.toFormat(format), format])
const day = piece('day', shaped(DAYS))
const clock = piece('clock', shaped(CLOCKS))
const zone = piece(
  'zone',
  fc.constantFrom(...Object.entries(OFFSETS)).map(([name, offset]) => [name, String(offset)]),
)
/** No weekday: beside a date it may stand, and is told where it does not fit. */
const noise = piece(
  'noise',
  fc.constantFrom(...NOISE).map((text) => [text, '']),
)

/** The instant by luxon's own formats; undefined where the pieces do not make one moment. */
function independently(pieces: Piece[]): number | undefined {
  const of = (kind: Piece['kind']): Piece[] => pieces.filter((each) => each.kind === kind)
  const [theDay, theClock, theZone] = [of('day')[0], of('clock')[0], of('zone')[0]]
  if (!theDay || !theClock || pieces.length !== (theZone ? 3 : 2)) return undefined
  const offset = theZone ? Number(theZone.by) : 480
  const sign = offset < 0 ? '-' : '+'
  return DateTime.fromFormat(`${theDay.text} | ${theClock.text}`, `${theDay.by} | ${theClock.by}`, {
    locale: 'en',
    zone: `UTC${sign}${Math.floor(Math.abs(offset) / 60)}:${String(Math.abs(offset) % 60).padStart(2, '0')}`,
  }).toMillis()
}

describe('whatever the second reader accepts', () => {
  it('reads every day, clock and zone as luxon does', () => {
    const joint = fc.constantFrom(' ', ' at ', ', ')
    fc.assert(
      fc.property(day, clock, zone, joint, (theDay, theClock, theZone, between) => {
        const answer = read(`${theDay.text}${between}${theClock.text} ${theZone.text}`)
        const instant = new Date(independently([theDay, theClock, theZone]) ?? Number.NaN)
        expect(answer).toMatchObject({ ok: true, instant })
      }),
      { numRuns: 500 },
    )
  })

  it('is what luxon reads in the same pieces, however they are mixed with others', () => {
    const pieces = fc.array(fc.oneof(day, clock, zone, noise), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pieces, fc.constantFrom(' ', ', ', ' ∙ '), (all, between) => {
        const answer = read(all.map(({ text }) => text).join(between))
        if (!answer.ok || !answer.bySecondReader || all.every(({ kind }) => kind !== 'day')) return
        expect(answer.instant.getTime()).toBe(independently(all))
      }),
      { numRuns: 1500 },
    )
  })
})

it('leaves a hyphen between spaces alone, which may mean "until"', () => {
  expect(read('00:00 - 2025-11-01 EAT')).toMatchObject({ ok: false })
  expect(read('2025-11-01 - 00:00 EAT')).toMatchObject({ ok: false })
})
