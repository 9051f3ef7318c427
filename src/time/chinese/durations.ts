import type { Draft } from '../draft'
import type { Duration, Piece, Unit } from '../duration'
import { negate, totalOf, UNITS } from '../duration'
import { either, longest, many, map, meaning, notBefore, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { amount, measure } from './numbers'

const CLEAR_UNITS = new Map<string, Unit>([
  ['秒', UNITS.second],
  ['秒钟', UNITS.second],
  ['分钟', UNITS.minute],
  ['刻钟', UNITS.quarter],
  ['小时', UNITS.hour],
  ['钟头', UNITS.hour],
  ['天', UNITS.day],
  ['周', UNITS.week],
  ['星期', UNITS.week],
  ['礼拜', UNITS.week],
  ['工作日', UNITS.businessDay],
])
/** These also name a minute of the clock, a day of the month, a month or a year: a word such as 后 must follow. */
const DOUBLE_UNITS = new Map<string, Unit>([
  ['分', UNITS.minute],
  ['日', UNITS.day],
  ['年', UNITS.year],
])
const COUNTED_UNITS = new Map<string, Unit>([
  ['月', UNITS.month],
  ['季度', UNITS.season],
  ['钟', UNITS.hour],
])

const clearUnit: Rule<Unit> = either(
  map(sequence(measure, meaning(CLEAR_UNITS)), ([, unit]) => unit),
  map(sequence(word('个'), meaning(COUNTED_UNITS)), ([, unit]) => unit),
)
const anyUnit: Rule<Unit> = either(clearUnit, meaning(DOUBLE_UNITS))

const half = (unit: Rule<Unit>): Rule<Piece> =>
  map(sequence(word('半'), either(unit, meaning(COUNTED_UNITS))), ([, found]) => ({ amount: 0.5, unit: found }))

const counted = (unit: Rule<Unit>): Rule<Piece> =>
  longest(
    map(sequence(amount, optional(word('多')), unit), ([count, , found]) => ({ amount: count, unit: found })),
    map(sequence(amount, measure, word('半'), unit), ([count, , , found]) => ({ amount: count + 0.5, unit: found })),
    map(sequence(amount, unit, word('半'), optional(word('钟'))), ([count, found]) => ({
      amount: count + 0.5,
      unit: found,
    })),
    map(sequence(amount, word('分'), word('半'), optional(word('钟'))), ([count]) => ({
      amount: count + 0.5,
      unit: UNITS.minute,
    })),
  )

const durationOfUnits = (unit: Rule<Unit>): Rule<Duration> =>
  map(
    sequence(many(longest(half(unit), counted(unit)), optional(word('又 零 , 和 加'))), notBefore(word('半'))),
    ([pieces]) => totalOf(pieces),
  )

const clearDuration = durationOfUnits(clearUnit)
export const anyDuration = durationOfUnits(anyUnit)
/** "1小时20分" ends in a short 分, which is clear after an hour. */
const mixedDuration: Rule<Duration> = map(
  sequence(many(longest(half(clearUnit), counted(clearUnit))), optional(word('零 又')), amount, word('分')),
  ([pieces, , minutes]) => totalOf([...pieces, { amount: minutes, unit: UNITS.minute }]),
)
const about = optional(word('大约 大概 约 差不多 左右'))
const lead = optional(many(word('再 过 等 大约 大概 约 差不多 在')))
const wait = sequence(optional(word('再 大约 大概 约')), word('过 等 再过'), optional(word('大约 大概 约 个')))

const after = word('后 之后 以后 过后 内 之内 以内 里')
const before = word('前 之前 以前')

const shiftBy = (shift: Duration): Draft => ({ shift, shiftFrom: 'now' })

export const durations: Rule<Draft>[] = [
  map(sequence(lead, anyDuration, about, after), ([, duration]) => shiftBy(duration)),
  map(sequence(lead, anyDuration, about, before), ([, duration]) => shiftBy(negate(duration))),
  map(sequence(wait, anyDuration, about), ([, duration]) => shiftBy(duration)),
  map(sequence(lead, longest(clearDuration, mixedDuration), about), ([, duration]) => shiftBy(duration)),
]
