import type { RecurrenceReading, RecurrenceRequest } from '../../../src/time/recurrence/contract'
import { readRecurrence } from '../../../src/time/recurrence'

const now = new Date('2026-02-20T12:00:00Z')

function read(request: Partial<RecurrenceRequest>): RecurrenceReading {
  return readRecurrence({ timezone: 'America/New_York', language: 'en', now, ...request })
}

const refused = (code: string): unknown => expect.objectContaining({ ok: false, code })

describe('what is given', () => {
  it('must be one thing and not several', () => {
    expect(read({})).toEqual(refused('none_given'))
    expect(read({ cronExpr: '  ', repeat: '' })).toEqual(refused('none_given'))
    expect(read({ cronExpr: '0 9 * * *', everySeconds: 60 })).toEqual(refused('several_given'))
    expect(read({ at: 'tomorrow', repeat: 'every day' })).toEqual(refused('several_given'))
  })

  it('may hold the zero that models put where they leave something out', () => {
    expect(read({ cronExpr: '0 9 * * *', everySeconds: 0 })).toMatchObject({ ok: true, recurrence: { kind: 'cron' } })
    expect(read({ everySeconds: 0 })).toEqual(refused('too_often'))
  })

  it('is read as a phrase in whichever field it stands', () => {
    for (const key of ['cronExpr', 'at', 'repeat'] as const) {
      expect(read({ [key]: 'every weekday at 9am' })).toMatchObject({ recurrence: { expressions: ['0 9 * * 1-5'] } })
      expect(read({ [key]: '0 9 * * 1-5' })).toMatchObject({ recurrence: { expressions: ['0 9 * * 1-5'] } })
    }
  })

  it('is one moment in `at` where `repeat` would read a weekday every week', () => {
    expect(read({ at: 'monday at 9am' })).toMatchObject({ recurrence: { kind: 'at', at: '2026-02-23T14:00:00.000Z' } })
    expect(read({ repeat: 'monday at 9am' })).toMatchObject({ recurrence: { expressions: ['0 9 * * 1'] } })
  })

  it('is read in Chinese and in English, whichever language the turn has', () => {
    expect(read({ at: '明早九点' })).toMatchObject({ recurrence: { kind: 'at', at: '2026-02-21T14:00:00.000Z' } })
    expect(read({ at: 'tomorrow at 9am', language: 'zh' })).toMatchObject({
      recurrence: { kind: 'at', at: '2026-02-21T14:00:00.000Z' },
    })
  })

  it('is refused in `at` with a hint about a time, and in `repeat` with one about repeating and cron_expr', () => {
    expect(read({ at: 'sometime' })).toMatchObject({
      ok: false,
      hint: expect.stringMatching(/^at: .*a time I can place/) as string,
    })
    expect(read({ at: '改天', language: 'zh' })).toMatchObject({
      hint: expect.stringMatching(/^at: 没能看懂这个时间/) as string,
    })
    for (const repeat of ['every other weekday at 9', 'every day from 9 to 5', 'every blue moon']) {
      expect(read({ repeat })).toMatchObject({ ok: false, hint: expect.stringContaining('cron_expr') as string })
      expect(read({ repeat, language: 'zh' })).toMatchObject({ hint: expect.stringContaining('cron_expr') as string })
    }
  })

  it('must name a zone that exists', () => {
    expect(read({ everySeconds: 60, timezone: 'Mars/Olympus' })).toEqual(refused('bad_timezone'))
  })

  it('must lie ahead', () => {
    expect(read({ at: '2020-01-01T00:00:00Z' })).toEqual(refused('past'))
    expect(read({ at: 'yesterday at 9' })).toEqual(refused('past'))
  })
})

describe('an interval', () => {
  it.each([59, 1, -60, 0])('of %d seconds is too short', (everySeconds) => {
    expect(read({ everySeconds })).toEqual(refused('too_often'))
  })

  it.each([90.5, Number.NaN, Number.POSITIVE_INFINITY, 366 * 86_400 + 1])(
    'of %d seconds is refused',
    (everySeconds) => {
      expect(read({ everySeconds })).toEqual(refused('invalid_interval'))
    },
  )

  it('counts from now', () => {
    const reading = read({ everySeconds: 5400 })
    expect(reading).toMatchObject({ ok: true, words: 'Every 1 hour 30 minutes' })
    expect(reading.ok && reading.nextRuns.map(({ at }) => at.toISOString()).slice(0, 2)).toEqual([
      '2026-02-20T13:30:00.000Z',
      '2026-02-20T15:00:00.000Z',
    ])
  })
})

describe('a cron expression', () => {
  it.each([
    ['0 9 * * MON-FRI', ['0 9 * * 1-5']],
    ['0 9 * jan,JUL *', ['0 9 * 1,7 *']],
    ['*/15 8-18 * * *', ['*/15 8-18 * * *']],
    ['5/20 * * * *', ['5-59/20 * * * *']],
    ['0 9 * * 7', ['0 9 * * 0']],
    ['0 9 * * 5-7', ['0 9 * * 5,6,0']],
    ['@weekly', ['0 0 * * 0']],
    ['  0   9 * * *  ', ['0 9 * * *']],
    ['0 9 13 * 5', ['0 9 13 * *', '0 9 * * 5']],
    ['0 9 */2 * 5', ['0 9 */2 * 5']],
  ])('%s is kept as %j', (cronExpr, expressions) => {
    expect(read({ cronExpr })).toMatchObject({ ok: true, recurrence: { kind: 'cron', expressions } })
  })

  it.each([
    '0 0 9 * * *',
    '0 9 * *',
    '60 9 * * *',
    '0 24 * * *',
    '0 9 0 * *',
    '0 9 * 13 *',
    '0 9 * * 8',
    '0 9 L * *',
    '0 9 15W * *',
    '0 9 ? * 1',
    '0 9 * * 1#2',
    '*/0 * * * *',
    '*/90 * * * *',
    '0 9 * * 5-1',
    '0 9 * * foo',
    '0,,5 9 * * *',
    '-5 9 * * *',
    '@reboot',
    '@every 5m',
    '* * * * * * *',
  ])('%s is refused with a hint', (cronExpr) => {
    expect(read({ cronExpr })).toEqual(refused('invalid_cron'))
  })

  it('that no day fits is refused', () => {
    expect(read({ cronExpr: '0 0 30 2 *' })).toEqual(refused('never'))
    expect(read({ cronExpr: '0 0 31 4,6,9,11 *' })).toEqual(refused('never'))
  })

  it('runs on either day when both are given, as classic cron does', () => {
    const reading = read({ cronExpr: '0 9 13 * 5', timezone: 'UTC' })
    expect(reading.ok && reading.nextRuns.map(({ at }) => at.toISOString().slice(0, 10))).toEqual([
      '2026-02-27',
      '2026-03-06',
      '2026-03-13',
      '2026-03-20',
      '2026-03-27',
    ])
  })
})

describe('the words', () => {
  it.each([
    [{ cronExpr: '0 9 * * 1-5' }, 'Every weekday at 09:00', '每个工作日 09:00'],
    [{ cronExpr: '0 20 * * *' }, 'Every day at 20:00', '每天 20:00'],
    [{ cronExpr: '0 7 * * 1-6' }, 'Every day except Sunday at 07:00', '每天(周日除外) 07:00'],
    [
      { cronExpr: '*/20 9-11 * * *' },
      'Every 20 minutes, between 09:00 and 11:59, every day',
      '每隔 20 分钟,在 09:00 和 11:59 之间,每天',
    ],
    [{ repeat: 'every other Tuesday at 9' }, 'Every other Tuesday at 09:00', '每两周的周二 09:00'],
    [{ repeat: '每月最后一个工作日17点' }, 'Every month on the last working day at 17:00', '每月最后一个工作日 17:00'],
    [
      { rrule: 'FREQ=YEARLY;BYDAY=20MO;BYHOUR=9;BYMINUTE=0' },
      'Every year on the 20th Monday of the year at 09:00',
      '每年第20个周一 09:00',
    ],
    [
      { rrule: 'FREQ=HOURLY;INTERVAL=5;BYDAY=MO;BYMINUTE=0' },
      'By the rule FREQ=HOURLY;INTERVAL=5;BYDAY=MO;BYMINUTE=0',
      '按规则 FREQ=HOURLY;INTERVAL=5;BYDAY=MO;BYMINUTE=0',
    ],
    [
      { repeat: 'second Tuesday of the month at 2pm' },
      'Every month on the second Tuesday at 14:00',
      '每月第二个周二 14:00',
    ],
    [{ everySeconds: 3600 }, 'Every hour', '每小时'],
    [{ everySeconds: 86_400 }, 'Every 24 hours', '每 24 小时'],
    [{ everySeconds: 1_209_600 }, 'Every 2 weeks', '每 2 周'],
    [{ at: '2026-03-01 09:00' }, 'Once, on Sun 1 Mar 2026 at 09:00', '一次,2026年3月1日 周日 09:00'],
  ])('of %j are said in both languages', (given, english, chinese) => {
    expect(read(given)).toMatchObject({ words: english })
    expect(read({ ...given, language: 'zh' })).toMatchObject({ words: chinese })
  })
})

describe('a run at a clock change', () => {
  it('is skipped in the gap, and the run after it says so', () => {
    const reading = read({ cronExpr: '30 2 * * *', now: new Date('2026-03-06T12:00:00Z') })
    expect(reading).toMatchObject({
      nextRuns: [
        { at: new Date('2026-03-07T07:30:00Z') },
        { at: new Date('2026-03-09T06:30:00Z'), note: 'dst_gap' },
        { at: new Date('2026-03-10T06:30:00Z') },
        {},
        {},
      ],
    })
  })

  it('is told of a year ahead', () => {
    const reading = read({ repeat: 'every day at 2:30am', now: new Date('2026-11-17T12:00:00Z') })
    expect(reading).toMatchObject({ notes: [expect.stringContaining('2027-03-14 02:30 does not exist')] })
  })

  it('happens twice when its hour does', () => {
    const reading = read({ cronExpr: '30 1 * * *', now: new Date('2026-10-31T12:00:00Z') })
    expect(reading).toMatchObject({
      nextRuns: [
        { at: new Date('2026-11-01T05:30:00Z') },
        { at: new Date('2026-11-01T06:30:00Z'), note: 'dst_repeat' },
        { at: new Date('2026-11-02T06:30:00Z') },
        {},
        {},
      ],
      notes: [expect.stringContaining('2026-11-01')],
    })
  })

  it('moves by the half hour that Lord Howe Island skips', () => {
    const reading = read({
      cronExpr: '15 2 * * *',
      timezone: 'Australia/Lord_Howe',
      now: new Date('2026-10-03T00:00:00Z'),
    })
    expect(reading.ok && reading.nextRuns[0]).toEqual({ at: new Date('2026-10-03T15:45:00Z'), note: 'dst_gap' })
  })

  it('is not worth a word for what runs every hour, or where clocks never change', () => {
    expect(read({ cronExpr: '30 * * * *' })).toMatchObject({ notes: [] })
    expect(read({ cronExpr: '30 2 * * *', timezone: 'Asia/Shanghai' })).toMatchObject({ notes: [] })
  })
})

describe('a day that not every month has', () => {
  it('is told', () => {
    expect(read({ repeat: '每月31号9点', language: 'zh' })).toMatchObject({ notes: ['没有31号的月份不会运行'] })
    expect(read({ cronExpr: '0 9 31 12 *' })).toMatchObject({ notes: [] })
    expect(read({ cronExpr: '0 9 29 2 *' })).toMatchObject({ notes: ['Months without a day 29 are left out'] })
  })
})
