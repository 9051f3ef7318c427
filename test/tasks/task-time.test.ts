import type { TaskTime, TimeSegment } from '../../src/tasks/contract'
import { readDay } from '../../src/time/read-day'
import { readFilter } from '../../src/tasks/read-filter'
import { changeTime, overlaps, settleTime } from '../../src/tasks/task-time'
import type { SettledTime, TimeWish } from '../../src/tasks/task-time'

const ZONE = 'Asia/Shanghai'
/** 2026-02-05 at this clock in Shanghai. */
const at = (clock: string) => ({ now: new Date(`2026-02-05T${clock}:00+08:00`), zone: ZONE })
const TODAY = '2026-02-05'
const TOMORROW = '2026-02-06'

/** One line for what came out: the code, or the day and the time. */
function say(settled: SettledTime): string {
  if (!settled.ok) return settled.code
  const { dueDate, startTime, endTime, timeSegment } = settled.time
  return `${dueDate} ${timeSegment ?? `${startTime}-${endTime}`}`
}
const settle = (wish: TimeWish, clock = '09:00') => say(settleTime(wish, at(clock)))

describe('the time of a new task', () => {
  test.each<[string, TimeWish, string]>([
    ['a segment', { dueDate: TODAY, timeSegment: 'afternoon' }, '2026-02-05 afternoon'],
    ['an exact range', { dueDate: TOMORROW, startTime: '16:00', endTime: '17:00' }, '2026-02-06 16:00-17:00'],
    ['no day', { timeSegment: 'afternoon' }, 'need_date'],
    ['no day, but a range', { startTime: '16:00', endTime: '17:00' }, 'need_date'],
    ['a blank day', { dueDate: ' ', timeSegment: 'morning' }, 'need_date'],
    ['a start alone', { dueDate: TOMORROW, startTime: '16:00' }, 'need_end_time'],
    ['an end alone', { dueDate: TOMORROW, endTime: '16:00' }, 'need_start_time'],
    [
      'both modes',
      { dueDate: TOMORROW, startTime: '16:00', endTime: '17:00', timeSegment: 'afternoon' },
      'time_modes_exclusive',
    ],
    [
      'half a range and a segment',
      { dueDate: TOMORROW, startTime: '16:00', timeSegment: 'all_day' },
      'time_modes_exclusive',
    ],
    ['an end and a segment', { dueDate: TOMORROW, endTime: '16:00', timeSegment: 'all_day' }, 'time_modes_exclusive'],
    [
      'blanks where a model had nothing to say',
      { dueDate: TOMORROW, startTime: '', endTime: ' ', timeSegment: 'morning' },
      '2026-02-06 morning',
    ],
    ['an end before the start', { dueDate: TOMORROW, startTime: '17:00', endTime: '16:00' }, 'end_before_start'],
    ['an end at the start', { dueDate: TOMORROW, startTime: '16:00', endTime: '16:00' }, 'end_before_start'],
    ['one minute', { dueDate: TOMORROW, startTime: '16:00', endTime: '16:01' }, '2026-02-06 16:00-16:01'],
    ['from midnight', { dueDate: TOMORROW, startTime: '00:00', endTime: '00:30' }, '2026-02-06 00:00-00:30'],
    ['until the end of the day', { dueDate: TOMORROW, startTime: '23:00', endTime: '24:00' }, '2026-02-06 23:00-24:00'],
    ['over midnight', { dueDate: TOMORROW, startTime: '23:00', endTime: '00:00' }, 'end_before_start'],
    ['a start at 24:00', { dueDate: TOMORROW, startTime: '24:00', endTime: '24:00' }, 'bad_time'],
    ['a short hour', { dueDate: TOMORROW, startTime: '9:05', endTime: '10：00' }, '2026-02-06 09:05-10:00'],
    ['no clock', { dueDate: TOMORROW, startTime: '25:00', endTime: '26:00' }, 'bad_time'],
    ['60 minutes', { dueDate: TOMORROW, startTime: '10:60', endTime: '11:00' }, 'bad_time'],
    ['words for a clock', { dueDate: TOMORROW, startTime: '下午4点', endTime: '下午5点' }, '2026-02-06 16:00-17:00'],
    [
      'an end in the same evening',
      { dueDate: TOMORROW, startTime: '晚上7点', endTime: '9点半' },
      '2026-02-06 19:00-21:30',
    ],
    ['words and digits', { dueDate: TOMORROW, startTime: '16:00', endTime: '5点' }, '2026-02-06 16:00-17:00'],
    ['English words', { dueDate: TOMORROW, startTime: 'half past three', endTime: '5pm' }, '2026-02-06 15:30-17:00'],
    ['words for midnight', { dueDate: TOMORROW, startTime: '晚上10点', endTime: '晚上12点' }, '2026-02-06 22:00-24:00'],
    ['a clock with a day', { dueDate: TOMORROW, startTime: '明天下午4点', endTime: '下午5点' }, 'bad_time'],
    ['a part of the day for a clock', { dueDate: TOMORROW, startTime: '下午', endTime: '晚上' }, 'bad_time'],
    ['a bare number', { dueDate: TOMORROW, startTime: '4', endTime: '5' }, 'bad_time'],
    ['a clock of two readings', { dueDate: TOMORROW, startTime: '8点', endTime: '22:00' }, 'bad_time'],
    [
      'an end in words before the start',
      { dueDate: TOMORROW, startTime: '下午5点', endTime: '下午4点' },
      'end_before_start',
    ],
    ['a day that is none', { dueDate: '2026-02-30', timeSegment: 'morning' }, 'bad_date'],
    ['a day with a time', { dueDate: '2026-02-06 16:00', timeSegment: 'morning' }, 'bad_date'],
    ['words that are no day', { dueDate: 'someday', timeSegment: 'morning' }, 'bad_date'],
    ['a leap day that is none', { dueDate: '2027-02-29' }, 'bad_date'],
    ['another day and no part of it', { dueDate: TOMORROW }, '2026-02-06 all_day'],
    ['a day in words', { dueDate: '后天', timeSegment: 'evening' }, '2026-02-07 evening'],
    ['a day that has passed', { dueDate: '2026-02-04', timeSegment: 'morning' }, '2026-02-04 morning'],
  ])('%s', (_case, wish, expected) => expect(settle(wish)).toBe(expected))

  test.each([
    ['今天', TODAY],
    ['today', TODAY],
    ['明天', TOMORROW],
    ['tomorrow', TOMORROW],
    ['昨天', '2026-02-04'],
    ['下周五', '2026-02-13'],
    ['2月10日', '2026-02-10'],
    ['next Monday', '2026-02-09'],
    ['3天后', '2026-02-08'],
    ['下午', undefined],
    ['明天9点', undefined],
    ['2小时后', undefined],
    ['2026-2-6x', undefined],
  ])('the day %s is %s, whatever the hour', (text, day) => {
    for (const clock of ['00:00', '08:59', '12:00', '23:59']) expect(readDay(text, at(clock).now, ZONE)).toBe(day)
  })

  it('is today by the zone of the person', () => {
    const now = new Date('2026-02-05T17:30:00Z')
    const wish = { dueDate: '今天' }
    expect(say(settleTime(wish, { now, zone: 'Asia/Shanghai' }))).toBe('2026-02-06 all_day')
    expect(say(settleTime(wish, { now, zone: 'Europe/London' }))).toBe('2026-02-05 afternoon')
    expect(say(settleTime(wish, { now, zone: 'America/New_York' }))).toBe('2026-02-05 afternoon')
    expect(say(settleTime(wish, { now, zone: 'Asia/Kolkata' }))).toBe('2026-02-05 evening')
  })

  it('that has passed is written with a note, except for a part of today', () => {
    expect(settleTime({ dueDate: '2026-02-04' }, at('09:00'))).toMatchObject({
      ok: true,
      note: expect.stringContaining('day') as string,
    })
    expect(settleTime({ dueDate: TODAY, startTime: '08:00', endTime: '09:00' }, at('09:00'))).toMatchObject({
      ok: true,
      note: expect.stringContaining('time') as string,
    })
    expect(settleTime({ dueDate: TODAY, startTime: '08:00', endTime: '09:01' }, at('09:00'))).not.toHaveProperty('note')
  })
})

describe('today', () => {
  const boundaries: [clock: string, allowed: TimeSegment[], byDefault: TimeSegment][] = [
    ['00:00', ['all_day', 'morning', 'afternoon', 'evening'], 'all_day'],
    ['05:59', ['all_day', 'morning', 'afternoon', 'evening'], 'all_day'],
    ['06:00', ['all_day', 'morning', 'afternoon', 'evening'], 'all_day'],
    ['11:59', ['all_day', 'morning', 'afternoon', 'evening'], 'all_day'],
    ['12:00', ['all_day', 'afternoon', 'evening'], 'afternoon'],
    ['17:59', ['all_day', 'afternoon', 'evening'], 'afternoon'],
    ['18:00', ['all_day', 'evening'], 'evening'],
    ['23:59', ['all_day', 'evening'], 'evening'],
  ]
  const SEGMENTS: TimeSegment[] = ['all_day', 'morning', 'afternoon', 'evening']

  test.each(boundaries)('at %s takes %j and means %s by default', (clock, allowed, byDefault) => {
    for (const timeSegment of SEGMENTS) {
      const expected = allowed.includes(timeSegment) ? `${TODAY} ${timeSegment}` : 'segment_passed'
      expect(settle({ dueDate: TODAY, timeSegment }, clock)).toBe(expected)
    }
    expect(settle({ dueDate: TODAY }, clock)).toBe(`${TODAY} ${byDefault}`)
  })

  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:30`)
  test.each(hours)('at %s refuses what has passed and nothing else', (clock) => {
    const hour = Number(clock.slice(0, 2))
    const passed = { all_day: false, morning: hour >= 12, afternoon: hour >= 18, evening: false }
    for (const timeSegment of SEGMENTS) {
      expect(settle({ dueDate: TODAY, timeSegment }, clock) === 'segment_passed').toBe(passed[timeSegment])
      expect(settle({ dueDate: TOMORROW, timeSegment }, clock)).toBe(`${TOMORROW} ${timeSegment}`)
    }
  })
})

describe('changing the time', () => {
  const range: TaskTime = { dueDate: TOMORROW, startTime: '16:00', endTime: '17:00', timeSegment: null }
  const morning: TaskTime = { dueDate: TODAY, startTime: null, endTime: null, timeSegment: 'morning' }
  test.each<[string, TaskTime, TimeWish, string, string?]>([
    ['the day of a range', range, { dueDate: TODAY }, '2026-02-05 16:00-17:00'],
    ['a range to a segment', range, { timeSegment: 'evening' }, '2026-02-06 evening'],
    ['a segment to a range', morning, { startTime: '10:00', endTime: '11:00' }, '2026-02-05 10:00-11:00'],
    ['a new range', range, { startTime: '18:00', endTime: '19:00' }, '2026-02-06 18:00-19:00'],
    ['a new end', range, { endTime: '18:00' }, '2026-02-06 16:00-18:00'],
    ['a new end before the start', range, { endTime: '15:00' }, 'end_before_start'],
    ['a new start alone', range, { startTime: '15:00' }, 'need_end_time'],
    ['a start alone for a segment', morning, { startTime: '15:00' }, 'need_end_time'],
    ['an end alone for a segment', morning, { endTime: '15:00' }, 'need_start_time'],
    ['both modes', range, { startTime: '18:00', endTime: '19:00', timeSegment: 'evening' }, 'time_modes_exclusive'],
    ['a segment and an end', range, { endTime: '19:00', timeSegment: 'evening' }, 'time_modes_exclusive'],
    ['nothing', range, {}, '2026-02-06 16:00-17:00'],
    ['nothing, when its part of today has passed', morning, {}, '2026-02-05 morning', '13:00'],
    [
      'to a part of today that has passed',
      range,
      { dueDate: TODAY, timeSegment: 'morning' },
      'segment_passed',
      '13:00',
    ],
    [
      'a morning to today in the afternoon',
      { ...morning, dueDate: TOMORROW },
      { dueDate: TODAY },
      'segment_passed',
      '13:00',
    ],
    ['to a day that is none', range, { dueDate: '2026-02-31' }, 'bad_date'],
  ])('%s', (_case, current, wish, expected, clock = '09:00') =>
    expect(say(changeTime(current, wish, at(clock)))).toBe(expected),
  )
})

describe('overlap', () => {
  const range = (startTime: string, endTime: string, dueDate = TODAY): TaskTime => ({
    dueDate,
    startTime,
    endTime,
    timeSegment: null,
  })
  const segment = (timeSegment: TimeSegment): TaskTime => ({
    dueDate: TODAY,
    startTime: null,
    endTime: null,
    timeSegment,
  })
  test.each<[string, TaskTime, TaskTime, boolean]>([
    ['the same range', range('16:00', '17:00'), range('16:00', '17:00'), true],
    ['one inside the other', range('16:00', '18:00'), range('16:30', '17:00'), true],
    ['crossing at the start', range('15:30', '16:30'), range('16:00', '17:00'), true],
    ['crossing at the end', range('16:30', '17:30'), range('16:00', '17:00'), true],
    ['by one minute', range('16:59', '18:00'), range('16:00', '17:00'), true],
    ['one right after the other', range('17:00', '18:00'), range('16:00', '17:00'), false],
    ['one right before the other', range('15:00', '16:00'), range('16:00', '17:00'), false],
    ['the end of the day', range('23:00', '24:00'), range('23:59', '24:00'), true],
    ['midnight to midnight', range('23:00', '24:00'), range('00:00', '01:00'), false],
    ['another day', range('16:00', '17:00'), range('16:00', '17:00', TOMORROW), false],
    ['a range in a segment', range('13:00', '14:00'), segment('afternoon'), false],
    ['two segments', segment('afternoon'), segment('afternoon'), false],
  ])('of %s', (_case, one, other, expected) => {
    expect(overlaps(one, other)).toBe(expected)
    expect(overlaps(other, one)).toBe(expected)
  })
})

describe('a query by days', () => {
  it('is refused with words when its span is the wrong way round', () => {
    const clock = at('09:00')
    expect(readFilter({ dueDateFrom: '后天', dueDateTo: TODAY }, clock)).toMatchObject({ ok: false, code: 'bad_span' })
    expect(readFilter({ dueDateFrom: TODAY, dueDateTo: '今天' }, clock)).toMatchObject({
      ok: true,
      filter: { dueDateFrom: TODAY, dueDateTo: TODAY },
    })
  })
})
