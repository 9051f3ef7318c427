import { PERIODS } from '../../chinese/clocks'
import type { Period } from '../../draft'
import { anyDuration } from '../../chinese/durations'
import { HOLIDAY_WORDS, SOLAR_TERMS, WEEKDAY_WORDS } from '../../chinese/lexicon'
import { whole } from '../../chinese/numbers'
import { either, longest, many, map, meaning, notBefore, number, optional, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import { chinesePlaces } from './chinese-places'
import { intervalOf, period } from './intervals'
import type { PeriodUnit, Piece } from './piece'
import { AMBIGUOUS, EVERY_DAY, SOME_DAYS, UNSUPPORTED, weekdaysBetween } from './piece'

const each = longest<unknown>(sequence(word('每'), optional(word('逢 到')), optional(word('个'))), word('逢'))
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
  sequence(
    maybeEach,
    optional(sequence(weekWord, of)),
    optional(word('从 自')),
    upTo(weekday),
    optional(many(moreDays)),
  ),
  ([, , , first, more = []]) => [...first, ...more.flat()],
)
const workdays: Rule<number[]> = map(
  sequence(maybeEach, either<unknown>(word('工作日'), sequence(word('平'), word('日')))),
  () => [1, 2, 3, 4, 5],
)
const weekend: Rule<number[]> = map(
  sequence(maybeEach, either<unknown>(word('周末'), sequence(word('双'), word('休'), word('日')))),
  () => [6, 7],
)
/** 工作日和周六 are six days. */
const someDays: Rule<number[]> = map(many(longest(workdays, weekend, weekdays), word(', 和 及 与')), (found) => [
  ...new Set(found.flat()),
])

/** 周日除外, 除周末外, 除了周三以外, 不含周末, 周日不用. */
const except: Rule<Piece[]> = map(
  longest(
    map(
      sequence(
        word('除了 除 除去 除开 不含 不包括 不包含 不算 排除 跳过 非 避开 去掉 不要'),
        someDays,
        optional(word('以外 之外 外')),
      ),
      ([, found]) => found,
    ),
    map(sequence(someDays, word('除外 不算 不用 不要 休息 跳过 不提醒 不运行 不含 除开')), ([found]) => found),
  ),
  (found) => [{ kind: 'except', weekdays: found }],
)

/** 早中晚, 早晚: parts of the day for clocks that follow. */
const DAY_PARTS = new Map<string, Period>([
  ['早', 'morning'],
  ['中', 'noon'],
  ['午', 'noon'],
  ['晚', 'evening'],
])
const dayParts: Rule<Piece[]> = map(
  sequence(meaning(DAY_PARTS), many(sequence(optional(word(',')), meaning(DAY_PARTS)))),
  ([first, more]) => [{ kind: 'day-parts', periods: [first, ...more.map(([, period]) => period)] }],
)
const unitName = new Map<string, PeriodUnit>([
  ['天', 'day'],
  ['日', 'day'],
  ['周', 'week'],
  ['星期', 'week'],
  ['礼拜', 'week'],
  ['月', 'month'],
  ['年', 'year'],
])
const days: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, word('天 日')), () => [EVERY_DAY]),
  map(sequence(word('天'), word('天')), () => [EVERY_DAY]),
  map(sequence(word('一'), word('天'), word('一次')), () => [EVERY_DAY]),
  map(sequence(each, meaning(PERIODS), optional(word('里'))), ([, period]) => [
    SOME_DAYS,
    { kind: 'time', period, leads: true },
  ]),
  map(someDays, (found) => [{ kind: 'weekdays', weekdays: found }]),
  map(sequence(longest<unknown>(each, word('一')), meaning(unitName), whole, word('次 回 遍')), ([, unit, count]) => [
    { kind: 'times-in', unit, count },
    ...(unit === 'day' ? [] : [{ kind: 'unit' as const, unit }]),
  ]),
  dayParts,
)

const units: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, weekWord), () => [{ kind: 'unit', unit: 'week' }]),
  map(sequence(each, word('月')), () => [{ kind: 'unit', unit: 'month' }]),
  map(sequence(each, word('年')), () => [{ kind: 'unit', unit: 'year' }]),
  map(longest<unknown>(sequence(each, word('季度')), sequence(each, word('季'))), () => [
    { kind: 'unit', unit: 'quarter' },
  ]),
)

/** Understood, and no rule can say it: the old calendar, its feasts, every so many working days. */
const inexact: Rule<Piece[]> = longest<Piece[]>(
  map(
    longest<unknown>(
      sequence(word('初'), whole),
      word('农历 阴历 旧历 正月 腊月 冬月'),
      meaning(HOLIDAY_WORDS),
      word(SOLAR_TERMS.join(' ')),
      sequence(word('第'), whole, optional(word('个')), word('周 星期 礼拜 周末')),
    ),
    () => [UNSUPPORTED],
  ),
  map(sequence(each, word('半'), optional(word('个')), word('月 季度')), () => [AMBIGUOUS]),
)

const hours = word('小时 钟头')
const minuteList = map(
  sequence(optional(word('零 过')), many(whole, word(', 和')), word('分 分钟')),
  ([, found]) => found,
)
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
  map(sequence(each, word('半'), optional(word('个')), word('年')), () => [period('month', 6)]),
  map(sequence(notBefore(word('几 半')), anyDuration, word('一次')), ([, duration]) => intervalOf(duration)),
  map(sequence(word('半'), optional(word('个')), word('小时 钟头 钟'), word('一次')), () => [
    { kind: 'interval', seconds: 1800 },
  ]),
  map(sequence(each, hours, of, word('半'), optional(word('点'))), () => [{ kind: 'minutes', minutes: [30] }]),
  map(sequence(each, word('半'), word('点')), () => [{ kind: 'minutes', minutes: [30] }]),
  map(sequence(each, hours, of, optional(word('第')), many(minuteList, word(', 和'))), ([, , , , minutes]) => [
    { kind: 'minutes', minutes: minutes.flat() },
  ]),
  map(sequence(each, hours, of, word('整'), optional(word('点'))), () => [{ kind: 'minutes', minutes: [0] }]),
  map(sequence(maybeEach, word('整'), word('点')), () => [{ kind: 'minutes', minutes: [0] }]),
)

/** 隔一天 is every second day, 每隔两小时 every two hours; whether 隔两天 is every second or third, people disagree. */
const gap = sequence(optional(word('每')), word('隔'))
const gaps: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(gap, notBefore(word('几')), anyDuration, optional(word('一次'))), ([, , duration]) => {
    const { months, days: dayCount, seconds } = duration
    if (months === 0 && dayCount === 0) return intervalOf(duration)
    const isOne =
      seconds === 0 && ((months === 0 && [1, 7].includes(dayCount)) || (dayCount === 0 && [1, 12].includes(months)))
    return isOne ? intervalOf({ ...duration, months: months * 2, days: dayCount * 2 }) : [AMBIGUOUS]
  }),
  map(longest<unknown>(sequence(optional(word('每')), word('隔天')), sequence(gap, word('天 日'))), () => [
    period('day', 2),
  ]),
  map(sequence(gap, weekWord, optional(word('的'))), () => [period('week', 2)]),
  map(sequence(gap, weekday, optional(many(moreDays))), ([, first, more = []]) => [
    period('week', 2),
    { kind: 'weekdays', weekdays: [...first, ...more.flat()] },
  ]),
  map(sequence(gap, optional(word('个')), word('月')), () => [period('month', 2)]),
  map(sequence(gap, word('年')), () => [period('year', 2)]),
  map(sequence(gap, hours), () => [{ kind: 'interval', seconds: 3600 }]),
)

export const chinesePieces: Rule<Piece[]>[] = [
  ...[inexact, days, except, units, ...chinesePlaces],
  ...[intervals, gaps],
]
export const chineseAnd = word('和 及 与 以及 还有')
export const chineseFillers = word(
  '的 在 于 请 就 吧 准时 都 一次 各 当地时间 本地时间 只 仅 只在 仅在 每次 固定 重复 定时 时分 里 内 当天 当日 这天 那天',
)

/** Words that only what repeats is said with; the reader of one-time expressions does not know them. */
export const REPEAT_WORDS: ReadonlySet<string> = new Set(
  (
    '为止 自从 打从 接下来 连续 持续 未来 今后 截止 截至 一直 一共 总共 合计 重复 执行 运行 最多 往后 连着 为期 结束 除去 除开 不含 ' +
    '不包括 不包含 不算 排除 跳过 避开 去掉 不要 不用 休息 不提醒 不运行 除外 只在 仅在 每次 固定 定时 这天 那天 倒数 首个 首日 末尾 头一'
  ).split(' '),
)
