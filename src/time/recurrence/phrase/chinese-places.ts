import { HOLIDAY_WORDS, WEEKDAY_WORDS } from '../../chinese/lexicon'
import { whole } from '../../chinese/numbers'
import { longest, many, map, meaning, notBefore, optional, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import { FEASTS } from './feasts'
import type { NthWeekday, Piece } from './piece'
import { monthsBetween } from './piece'

const joint = word(', 和 及 与')
const to = word('到 至 - ~')
const measure = optional(word('个'))
const of = optional(word('的'))
const each = longest<unknown>(sequence(word('每'), optional(word('个'))), word('逢'))

/** 第二, 最后一, 倒数第三; the last is -1. */
const place: Rule<number> = longest(
  map(sequence(word('第'), whole), ([, nth]) => nth),
  map(sequence(word('最后'), optional(word('一 1'))), () => -1),
  map(sequence(word('倒数'), word('第'), whole), ([, , nth]) => -nth),
  map(sequence(word('首'), optional(word('一'))), () => 1),
  map(sequence(word('头'), word('一')), () => 1),
  map(word('首个 头一'), () => 1),
)
const places = many(
  map(sequence(place, measure), ([nth]) => nth),
  joint,
)

const nthOfOne: Rule<NthWeekday[]> = map(sequence(places, measure, meaning(WEEKDAY_WORDS)), ([nths, , weekday]) =>
  nths.map((nth) => ({ nth, weekday })),
)
const nthWeekdays: Rule<Piece[]> = map(many(nthOfOne, joint), (found) => {
  const days = found.flat()
  return days.every(({ nth }) => nth !== 0 && nth >= -5 && nth <= 5) ? [{ kind: 'nth-weekdays', days }] : undefined
})
const nthWorkdays: Rule<Piece[]> = map(sequence(places, measure, word('工作日')), ([nths]) =>
  nths.every((nth) => nth !== 0 && nth >= -20 && nth <= 20) ? [{ kind: 'nth-workdays', nths }] : undefined,
)
const nthDays: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(places, word('天 日')), ([days]) => [{ kind: 'month-days', days }]),
  map(word('首日'), () => [{ kind: 'month-days', days: [1] }]),
  // 第二天 is one word, because elsewhere it is the day after.
  map(sequence(word('倒数'), word('第二天')), () => [{ kind: 'month-days', days: [-2] }]),
  map(word('第二天'), () => [{ kind: 'month-days', days: [2] }]),
)

const dayMark = word('号 日')
const dayNumbers: Rule<number[]> = longest(
  map(sequence(many(whole, joint), dayMark), ([found]) => found),
  map(sequence(whole, optional(dayMark), to, whole, dayMark), ([first, , , last]) =>
    last > first && last <= 31 ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : undefined,
  ),
)
const UNIT_OF_MONTH = { kind: 'unit', unit: 'month' } as const
const UNIT_OF_QUARTER = { kind: 'unit', unit: 'quarter' } as const
const monthDays: Rule<Piece[]> = longest<Piece[]>(
  map(many(dayNumbers, optional(joint)), (found) => [{ kind: 'month-days', days: found.flat() }]),
  // 每逢1号 is of every month.
  map(sequence(word('逢'), many(dayNumbers, optional(joint))), ([, found]) => [
    { kind: 'month-days', days: found.flat() },
    UNIT_OF_MONTH,
  ]),
  map(sequence(optional(word('每')), word('逢'), many(dayNumbers, optional(joint))), ([, , found]) => [
    { kind: 'month-days', days: found.flat() },
    UNIT_OF_MONTH,
  ]),
  map(sequence(word('初'), notBefore(whole)), () => [{ kind: 'month-days', days: [1] }]),
  map(word('底 末'), () => [{ kind: 'month-days', days: [-1] }]),
  map(word('中'), () => [{ kind: 'month-days', days: [15] }]),
)
const month = sequence(optional(each), word('月'))
const quarter = sequence(optional(each), word('季度 季'))
const everyYear = sequence(each, word('年'), optional(word('年')))
const edges: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(month, word('底 末')), () => [{ kind: 'month-days', days: [-1] }, UNIT_OF_MONTH]),
  map(sequence(month, word('初'), notBefore(whole)), () => [{ kind: 'month-days', days: [1] }, UNIT_OF_MONTH]),
  map(sequence(month, word('中')), () => [{ kind: 'month-days', days: [15] }, UNIT_OF_MONTH]),
  map(sequence(quarter, word('底 末')), () => [{ kind: 'month-days', days: [-1] }, UNIT_OF_QUARTER]),
  map(sequence(quarter, word('初')), () => [{ kind: 'month-days', days: [1] }, UNIT_OF_QUARTER]),
  map(sequence(everyYear, word('底 末')), () => yearly(12, 31)),
  map(sequence(everyYear, word('初'), notBefore(whole)), () => yearly(1, 1)),
)

const yearly = (month: number, day: number): Piece[] => [
  { kind: 'unit', unit: 'year' },
  { kind: 'dates', dates: [{ month, day }] },
]

const date = map(sequence(whole, word('月 月份'), of, whole, dayMark), ([month, , , day]) => ({ month, day }))
const dates: Rule<Piece[]> = map(many(date, optional(joint)), (found) => [{ kind: 'dates', dates: found }])

const monthRange: Rule<number[]> = longest(
  map(sequence(whole, word('月 月份')), ([month]) => [month]),
  map(sequence(whole, optional(word('月 月份')), to, whole, word('月 月份')), ([first, , , last]) =>
    monthsBetween(first, last),
  ),
  map(sequence(many(whole, joint), word('月 月份')), ([found]) => found),
)
const months: Rule<Piece[]> = map(many(monthRange, optional(joint)), (found) => {
  const named = [...new Set(found.flat())]
  return named.every((month) => month >= 1 && month <= 12) ? [{ kind: 'months', months: named }] : undefined
})

const feasts: Rule<Piece[]> = map(
  sequence(optional(sequence(each, word('年'), of)), meaning(HOLIDAY_WORDS)),
  ([every, name]) => {
    const found = FEASTS.get(name)
    return found && every
      ? [
          { kind: 'unit', unit: 'year' },
          { kind: 'dates', dates: [found] },
        ]
      : undefined
  },
)

export const chinesePlaces: Rule<Piece[]>[] = [
  ...[nthWeekdays, nthWorkdays, nthDays, monthDays, edges],
  ...[dates, months, feasts],
]
