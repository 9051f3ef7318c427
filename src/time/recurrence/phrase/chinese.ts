import { PERIODS } from '../../chinese/clocks'
import { anyDuration } from '../../chinese/durations'
import { HOLIDAY_WORDS, SOLAR_TERMS, WEEKDAY_WORDS } from '../../chinese/lexicon'
import { whole } from '../../chinese/numbers'
import { either, longest, many, map, meaning, notBefore, number, optional, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import { intervalOf } from './intervals'
import type { Piece } from './piece'
import { AMBIGUOUS, EVERY_DAY, SOME_DAYS, UNSUPPORTED, weekdaysBetween } from './piece'

const each = either<unknown>(sequence(word('每'), optional(word('逢')), optional(word('个'))), word('逢'))
const maybeEach = optional(each)
const weekWord = word('周 星期 礼拜')
const of = optional(word('的'))
const joint = optional(word(', 和 及 与'))
const to = word('到 至 - ~')

/** A number that is no weekday, because what follows makes it a clock, a date or an amount. */
const counts = word('点 点钟 时 : . 个 号 日 月 年 分 分钟 小时 钟头 天 周 刻 次 am pm a p')
const weekdayDigits = number(({ digits }) => (/^[1-7]+$/.test(digits) ? [...digits].map(Number) : undefined))
const sunday = word('日')
const shortDays: Rule<number[]> = longest(
  map(sequence(weekdayDigits, notBefore(counts)), ([found]) => found),
  // 周五六日 ends with the weekend; 周三日 or 周五天 may as well be so many days a week.
  map(sequence(weekdayDigits, sunday), ([found]) => (found.at(-1) === 6 ? [...found, 7] : undefined)),
)
const weekday: Rule<number[]> = longest(
  map(meaning(WEEKDAY_WORDS), (day) => [day]),
  map(sequence(meaning(WEEKDAY_WORDS), sunday), ([day]) => (day === 6 ? [6, 7] : undefined)),
)
const afterJoint: Rule<number[]> = longest(
  weekday,
  shortDays,
  map(sunday, () => [7]),
)
const upTo = (first: Rule<number[]>): Rule<number[]> =>
  longest(
    first,
    map(sequence(first, to, afterJoint), ([left, , right]) => [
      ...left.slice(0, -1),
      ...weekdaysBetween(left.at(-1) ?? 1, right[0] ?? 7),
      ...right.slice(1),
    ]),
  )
/** What goes on after the first day: 三五 straight after it, 、三 or 和周三 after a joint, 每周三 with its own 每. */
const moreDays: Rule<number[]> = longest(
  upTo(shortDays),
  map(sequence(word(', 和 及 与'), upTo(afterJoint)), ([, found]) => found),
  map(sequence(joint, each, upTo(weekday)), ([, , found]) => found),
  upTo(weekday),
)
/** 周一三五, 周一、周三, 周一到周五. */
const weekdays: Rule<number[]> = map(
  sequence(maybeEach, optional(sequence(weekWord, of)), upTo(weekday), optional(many(moreDays))),
  ([, , first, more = []]) => [...first, ...more.flat()],
)
const workdays: Rule<number[]> = map(
  sequence(maybeEach, either<unknown>(word('工作日'), sequence(word('平'), word('日')))),
  () => [1, 2, 3, 4, 5],
)
const weekend: Rule<number[]> = map(
  sequence(maybeEach, either<unknown>(word('周末'), sequence(word('双'), word('休'), word('日')))),
  () => [6, 7],
)
const someDays = longest(workdays, weekend, weekdays)

/** 周日除外, 除周末外, 除了周三以外. */
const except: Rule<Piece[]> = map(
  either(
    map(
      sequence(
        either<unknown>(word('除了'), word('除')),
        someDays,
        optional(either<unknown>(word('以外 之外'), word('外'))),
      ),
      ([, found]) => found,
    ),
    map(sequence(someDays, word('除'), word('外')), ([found]) => found),
  ),
  (found) => [{ kind: 'except', weekdays: found }],
)

const days: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, word('天 日')), () => [EVERY_DAY]),
  map(sequence(word('天'), word('天')), () => [EVERY_DAY]),
  map(sequence(each, meaning(PERIODS)), ([, period]) => [SOME_DAYS, { kind: 'time', period }]),
  map(someDays, (found) => [{ kind: 'weekdays', weekdays: found }]),
  map(sequence(each, word('天 日'), whole, word('次')), ([, , count]) => [{ kind: 'times-a-day', count }]),
)

const nthWeekdays: Rule<Piece[]> = map(
  sequence(many(sequence(word('第'), whole, optional(word('个'))), word(', 和 及 与')), meaning(WEEKDAY_WORDS)),
  ([found, weekday]) => [{ kind: 'nth-weekdays', nths: found.map(([, nth]) => nth), weekday }],
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
    sequence(word('第'), whole, optional(word('个')), word('天 工作日 周')),
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
const minuteList = map(sequence(many(whole, word(', 和')), word('分 分钟')), ([found]) => found)
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
  map(sequence(each, hours, of, optional(word('第')), many(minuteList, word(', 和'))), ([, , , , minutes]) => [
    { kind: 'minutes', minutes: minutes.flat() },
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

export const chinesePieces: Rule<Piece[]>[] = [
  ...[days, except, units, monthDays, dates, nthWeekdays],
  ...[inexact, intervals, gaps],
]
export const chineseAnd = word('和 及 与 以及 还有')
export const chineseFillers = word('的 在 于 请 就 吧 准时 都 一次 当地时间 本地时间')
