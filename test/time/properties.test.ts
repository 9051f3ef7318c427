import * as fc from 'fast-check'
import { DateTime } from 'luxon'
import { parseTimeExpression } from '../../src/time/parse-time-expression'
import { detectLanguage } from '../../src/time/zones'

const ZONES = ['Asia/Shanghai', 'America/New_York', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']
const zone = fc.constantFrom(...ZONES)
const now = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
const minutesAhead = fc.integer({ min: 1, max: 300 * 1440 })

const digits = [...'零一二三四五六七八九']
const chinese = (value: number): string => {
  if (value < 10) return digits[value] ?? ''
  const tens = Math.floor(value / 10)
  return `${tens > 1 ? digits[tens] : ''}十${value % 10 > 0 ? digits[value % 10] : ''}`
}

/** The same minute, written as people write it; each with the date, so that it has one meaning. */
const RENDERINGS: Record<string, (then: DateTime) => string> = {
  iso: (then) => then.toISO({ suppressMilliseconds: true }) ?? '',
  spaced: (then) => then.toFormat('yyyy-MM-dd HH:mm'),
  slashes: (then) => then.toFormat('yyyy/M/d HH:mm'),
  american: (then) => then.setLocale('en').toFormat("LLLL d, yyyy 'at' h:mm a"),
  british: (then) => then.setLocale('en').toFormat('d LLL yyyy, HH:mm'),
  'clock first': (then) => then.setLocale('en').toFormat("h:mma 'on' ccc, LLL d yyyy"),
  mail: (then) => then.setLocale('en').toFormat('ccc, dd LLL yyyy HH:mm:ss ZZZ'),
  chinese: (then) => then.toFormat("yyyy'年'M'月'd'日'H'点'mm'分'"),
  numerals: (then) =>
    `${[...String(then.year)].map((digit) => digits[Number(digit)]).join('')}年${chinese(then.month)}月${chinese(then.day)}号${chinese(then.hour)}时${chinese(then.minute)}分`,
  traditional: (then) =>
    then.hour < 12 && then.hour > 0
      ? then.toFormat("yyyy'年'M'月'd'號上午'H'點'm'分'")
      : then.toFormat("yyyy'年'M'月'd'號'HH:mm"),
}

/** A clock that happens twice or never has no rendering that could be read back. */
const isPlain = (then: DateTime): boolean => then.getPossibleOffsets().length === 1

describe('reading back what was written', () => {
  it.each(Object.entries(RENDERINGS))('reads the %s form of an instant back', (_name, render) => {
    fc.assert(
      fc.property(now, minutesAhead, zone, (moment, minutes, place) => {
        const then = DateTime.fromJSDate(moment, { zone: place }).plus({ minutes }).startOf('minute')
        fc.pre(isPlain(then) && then.toJSDate() > moment)
        const text = render(then)
        const answer = parseTimeExpression({ text, now: moment, zone: place, language: detectLanguage(text) })
        expect(answer).toMatchObject({ ok: true, instant: then.toJSDate() })
      }),
      { numRuns: 60 },
    )
  })

  it('reads every amount of minutes in digits, words and numerals alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), now, (minutes, moment) => {
        const texts = [`in ${minutes} minutes`, `${minutes}m`, `${minutes}分钟后`, `${chinese(minutes)}分鐘後`]
        for (const text of texts) {
          const answer = parseTimeExpression({ text, now: moment, zone: 'Asia/Shanghai' })
          expect(answer).toMatchObject({ ok: true, instant: new Date(moment.getTime() + minutes * 60_000) })
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('whatever the text', () => {
  it('never answers with a time that is not ahead', () => {
    const texts = fc.constantFrom(
      '8点',
      'friday',
      '5号',
      'at 7:30',
      '下周一',
      'feb 29',
      'noon',
      '今晚',
      'EOD',
      '月底',
      'today',
    )
    fc.assert(
      fc.property(texts, now, zone, (text, moment, place) => {
        const answer = parseTimeExpression({ text, now: moment, zone: place })
        return !answer.ok || answer.instant > moment
      }),
      { numRuns: 200 },
    )
  })

  it('gives a longer wait for a larger amount', () => {
    const units = fc.constantFrom('minutes', 'hours', 'days', 'weeks', 'months')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), units, now, zone, (count, unit, moment, place) => {
        const read = (amount: number): number => {
          const answer = parseTimeExpression({ text: `in ${amount} ${unit}`, now: moment, zone: place })
          return answer.ok ? answer.instant.getTime() : Number.NaN
        }
        return read(count + 1) > read(count)
      }),
      { numRuns: 100 },
    )
  })

  it('gives the same elapsed time in every zone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), now, zone, (minutes, moment, place) => {
        const answer = parseTimeExpression({ text: `${minutes}分钟后`, now: moment, zone: place })
        return answer.ok && answer.instant.getTime() === moment.getTime() + minutes * 60_000
      }),
    )
  })

  it('does not depend on the time zone of the machine', () => {
    const machine = process.env.TZ
    const texts = ['tomorrow at 9am', '下周一上午十点', 'in 3 days', '除夕', '冬至', '2026-03-08 02:30', 'EOM']
    const readAll = (): unknown[] =>
      texts.map((text) => parseTimeExpression({ text, now: new Date('2025-10-30T07:00:00Z'), zone: 'Asia/Shanghai' }))
    try {
      const answers = ['UTC', 'Asia/Shanghai', 'America/New_York'].map((name) => {
        process.env.TZ = name
        return readAll()
      })
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    } finally {
      if (machine === undefined) delete process.env.TZ
      else process.env.TZ = machine
    }
  })

  it('never throws, on random text or on shards of times', () => {
    const shards = fc.constantFrom(
      ...'明天 下周一 上午 三点 半 后 前 每 到 农历 初 廿 一 十 百 个 小时 大 下 第 tomorrow next friday at in half past a and of the twenty pm ish weeks from before easter 2025 99999999999999999999 0 : / - . + ( " \' 除夕'.split(
        ' ',
      ),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 250 }),
      fc.array(shards, { maxLength: 40 }).map((words) => words.join(' ')),
      fc.array(shards, { maxLength: 60 }).map((words) => words.join('')),
      fc.tuple(shards, fc.integer({ min: 1, max: 200 })).map(([shard, count]) => shard.repeat(count)),
    )
    fc.assert(
      fc.property(text, now, zone, (anything, moment, place) => {
        const answer = parseTimeExpression({ text: anything, now: moment, zone: place })
        return answer.ok ? !Number.isNaN(answer.instant.getTime()) : answer.hint.length > 0
      }),
      { numRuns: 2000 },
    )
  })
})
