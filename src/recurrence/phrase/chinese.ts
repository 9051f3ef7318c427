import { PERIODS } from '../../time/chinese/clocks'
import { anyDuration } from '../../time/chinese/durations'
import { HOLIDAY_WORDS, SOLAR_TERMS, WEEKDAY_WORDS } from '../../time/chinese/lexicon'
import { whole } from '../../time/chinese/numbers'
import { either, longest, many, map, meaning, notBefore, number, optional, sequence, word } from '../../time/grammar'
import type { Rule } from '../../time/grammar'
import { intervalOf } from './intervals'
import type { Piece } from './piece'
import { AMBIGUOUS, EVERY_DAY, SOME_DAYS, UNSUPPORTED, weekdaysBetween, WEEKEND, WORKDAYS } from './piece'

const each = either<unknown>(sequence(word('每'), optional(word('逢')), optional(word('个'))), word('逢'))
const maybeEach = optional(each)
const weekWord = word('周 星期 礼拜')
const of = optional(word('的'))
const joint = optional(word(', 和 及 与'))
const to = word('到 至 - ~')

/** A number that is no weekday, because what follows makes it a clock, a date or an amount. */
const counts = word('点 点钟 时 : . 个 号 日 月 年 分 分钟 小时 钟头 天 周 刻 am pm a p')
const shortDays: Rule<number[]> = either(
  map(
    sequence(
      number(({ digits }) => (/^[1-7]+$/.test(digits) ? digits : undefined)),
      notBefore(counts),
    ),
    ([digits]) => [...digits].map(Number),
  ),
  map(word('日 天'), () => [7]),
)
const weekday: Rule<number[]> = map(meaning(WEEKDAY_WORDS), (day) => [day])
const laterDays = either(weekday, shortDays)
const range = (first: Rule<number[]>): Rule<number[]> =>
  longest(
    first,
    map(sequence(first, to, laterDays), ([left, , right]) => [
      ...left.slice(0, -1),
      ...weekdaysBetween(left.at(-1) ?? 1, right[0] ?? 7),
      ...right.slice(1),
    ]),
  )
/** 周一三五, 周一、周三, 周一到周五. */
const weekdays: Rule<Piece[]> = map(
  sequence(
    maybeEach,
    optional(sequence(weekWord, of)),
    range(weekday),
    optional(map(sequence(joint, maybeEach, many(range(laterDays), sequence(joint, maybeEach))), ([, , more]) => more)),
  ),
  ([, , first, more = []]) => [{ kind: 'weekdays', weekdays: [...first, ...more.flat()] }],
)

const days: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, word('天 日')), () => [EVERY_DAY]),
  map(sequence(word('天'), word('天')), () => [EVERY_DAY]),
  map(sequence(each, meaning(PERIODS)), ([, period]) => [SOME_DAYS, { kind: 'time', period }]),
  map(sequence(maybeEach, word('工作日')), () => [WORKDAYS]),
  map(sequence(maybeEach, word('周末')), () => [WEEKEND]),
  weekdays,
)

const units: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, weekWord), () => [{ kind: 'unit', unit: 'week' }]),
  map(sequence(each, word('月')), () => [{ kind: 'unit', unit: 'month' }]),
  map(sequence(each, word('年')), () => [{ kind: 'unit', unit: 'year' }]),
)

const dayMark = word('号 日')
const dayNumbers: Rule<number[]> = longest(
  map(sequence(many(whole, word(', 和 及 与')), dayMark), ([found]) => found),
  map(sequence(whole, optional(dayMark), to, whole, dayMark), ([first, , , last]) =>
    last > first && last <= 31 ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : undefined,
  ),
)
const monthDays: Rule<Piece[]> = longest<Piece[]>(
  map(many(dayNumbers, joint), (found) => [{ kind: 'month-days', days: found.flat() }]),
  map(sequence(word('初'), notBefore(whole)), () => [{ kind: 'month-days', days: [1] }]),
  map(word('中'), () => [{ kind: 'month-days', days: [15] }]),
)
const date = map(sequence(whole, word('月'), whole, dayMark), ([month, , day]) => ({ month, day }))
const dates: Rule<Piece[]> = map(many(date, joint), (found) => [{ kind: 'dates', dates: found }])

/** Understood, and no five fields can say it: the last day, the n-th weekday, the old calendar, feasts. */
const inexact: Rule<Piece[]> = map(
  longest<unknown>(
    sequence(word('最后'), word('一'), optional(word('个')), either<unknown>(word('天 日'), meaning(WEEKDAY_WORDS))),
    word('底 末'),
    sequence(word('倒'), word('数')),
    sequence(word('第'), whole, optional(word('个')), either<unknown>(meaning(WEEKDAY_WORDS), word('天 工作日 周'))),
    sequence(word('初'), whole),
    word('农历 阴历 旧历 正月 腊月 冬月'),
    sequence(each, word('季度')),
    sequence(each, word('半'), optional(word('个')), word('月 年 季度')),
    sequence(word('隔'), meaning(WEEKDAY_WORDS)),
    meaning(HOLIDAY_WORDS),
    word(SOLAR_TERMS.join(' ')),
  ),
  () => [UNSUPPORTED],
)

const hours = word('小时 钟头')
const intervals: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, hours), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(each, word('分钟')), () => [{ kind: 'interval', seconds: 60 }]),
  map(sequence(each, word('刻钟')), () => [{ kind: 'interval', seconds: 900 }]),
  map(sequence(each, word('秒 秒钟')), () => [{ kind: 'interval', seconds: 1 }]),
  map(sequence(each, notBefore(word('几 半')), anyDuration), ([, , duration]) => intervalOf(duration)),
  map(sequence(each, word('半'), optional(word('个')), word('小时 钟头 钟')), () => [
    { kind: 'interval', seconds: 1800 },
  ]),
  map(sequence(each, word('半'), word('天')), () => [{ kind: 'interval', seconds: 43_200 }]),
  map(sequence(each, hours, of, many(whole, word(', 和')), word('分')), ([, , , minutes]) => [
    { kind: 'minutes', minutes },
  ]),
  map(sequence(each, hours, of, word('整'), optional(word('点'))), () => [{ kind: 'minutes', minutes: [0] }]),
  map(sequence(maybeEach, word('整'), word('点')), () => [{ kind: 'minutes', minutes: [0] }]),
)

/** 隔一天 is every second day, 每隔两小时 every two hours; whether 隔两天 is every second or third, people disagree. */
const gaps: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(optional(word('每')), word('隔'), notBefore(word('几')), anyDuration), ([, , , duration]) => {
    if (duration.days === 0) return intervalOf(duration)
    const one = duration.seconds === 0 && (duration.days === 1 || duration.days === 7)
    return one ? intervalOf({ ...duration, days: duration.days * 2 }) : [AMBIGUOUS]
  }),
  map(sequence(optional(word('每')), word('隔天')), () => [{ kind: 'interval', seconds: 2 * 86_400 }]),
  map(sequence(optional(word('每')), word('隔'), word('天 日')), () => [{ kind: 'interval', seconds: 2 * 86_400 }]),
  map(sequence(optional(word('每')), word('隔'), weekWord), () => [{ kind: 'interval', seconds: 14 * 86_400 }]),
  map(sequence(optional(word('每')), word('隔'), hours), () => [{ kind: 'interval', seconds: 3600 }]),
)

export const chinesePieces: Rule<Piece[]>[] = [days, units, monthDays, dates, inexact, intervals, gaps]
export const chineseAnd = word('和 及 与 以及 还有')
export const chineseFillers = word('的 在 于 请 就 吧 准时 都 开始 一次 当地时间 本地时间')
