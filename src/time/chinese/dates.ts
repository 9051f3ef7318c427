import type { Draft } from '../draft'
import { either, longest, many, map, meaning, notBefore, optional, sequence, token, word } from '../grammar'
import type { Rule } from '../grammar'
import { HOLIDAY_WORDS, SOLAR_TERMS, WEEKDAY_WORDS } from './lexicon'
import { digits, whole } from './numbers'

const table = (groups: [string, number][]): Map<string, number> =>
  new Map(groups.flatMap(([words, value]) => words.split(' ').map((name): [string, number] => [name, value])))

const DAYS = table([
  ['前天 前日', -2],
  ['大前天', -3],
  ['昨天 昨日 昨儿 寻日', -1],
  ['今天 今日 今儿 今儿个 当天 当日', 0],
  ['明天 明日 明儿 明儿个 听日 次日 翌日 隔天 第二天', 1],
  ['后天 后日 后儿', 2],
])
const YEARS = table([
  ['前年', -2],
  ['去年', -1],
  ['今年 本年 当年', 0],
  ['明年 来年 次年', 1],
  ['后年', 2],
  ['大后年', 3],
])
const MONTHS = table([
  ['本月 当月 今个月', 0],
  ['次月', 1],
])
/** Known by their digits: 十一 is also eleven, so a month, an hour or a unit after it wins by length. */
const SHORT_HOLIDAYS = new Map([
  ['十一', 'national'],
  ['五一', 'labour'],
  ['六一', 'children'],
  ['五四', 'youth'],
  ['三八', 'women'],
])

const day: Rule<Draft> = longest<Draft>(
  map(meaning(DAYS), (dayOffset) => ({ dayOffset })),
  map(sequence(many(word('大')), word('后天')), ([far]) => ({ dayOffset: 2 + far.length })),
)

/** 这 is 0, 下 is 1, 下下 is 2, 上 is -1. */
const step: Rule<number> = either(
  map(sequence(many(word('下')), optional(word('个'))), ([steps]) => steps.length),
  map(sequence(many(word('上')), optional(word('个'))), ([steps]) => -steps.length),
  map(sequence(word('这 本 今'), optional(word('一')), optional(word('个'))), () => 0),
)

const weekday: Rule<number> = meaning(WEEKDAY_WORDS)
const weekWord = word('周 星期 礼拜')
const weekend: Rule<Draft> = map(word('周末'), () => ({ weekday: 6 }))

const week: Rule<Draft> = longest<Draft>(
  map(sequence(step, weekday), ([weekOffset, found]) => ({ weekOffset, weekday: found })),
  map(sequence(step, weekWord), ([weekOffset]) => ({ weekOffset })),
  map(sequence(step, weekend), ([weekOffset, found]) => ({ weekOffset, ...found })),
  map(weekday, (found) => ({ weekday: found })),
  weekend,
)

const year: Rule<Draft> = longest<Draft>(
  map(meaning(YEARS), (yearOffset) => ({ yearOffset })),
  map(sequence(digits, word('年')), ([written]) => yearOf(written)),
  map(sequence(step, word('年')), ([yearOffset]) => ({ yearOffset })),
)

function yearOf(written: string): Draft | undefined {
  if (written.length === 4) return { year: Number(written) }
  return written.length === 2 ? { year: Number(written) + (Number(written) < 70 ? 2000 : 1900) } : undefined
}

const LUNAR_MONTHS = table([
  ['正月', 1],
  ['冬月', 11],
  ['腊月', 12],
])
const relativeMonth: Rule<Draft> = longest<Draft>(
  map(meaning(MONTHS), (monthOffset) => ({ monthOffset })),
  map(sequence(step, word('月 月份')), ([monthOffset]) => ({ monthOffset })),
)
const month: Rule<Draft> = longest<Draft>(
  relativeMonth,
  map(sequence(whole, word('月 月份')), ([found]) => ({ month: found })),
  map(meaning(LUNAR_MONTHS), (found) => ({ month: found, lunar: true })),
)

const dayNumber: Rule<Draft> = map(sequence(whole, word('号 日')), ([found]) => ({ day: found }))
const oldDay: Rule<Draft> = longest<Draft>(
  map(sequence(word('初'), whole), ([, found]) => ({ day: found, lunar: true })),
  map(
    token(({ text, value }) => (text.startsWith('廿') ? value : undefined)),
    (found) => ({ day: found, lunar: true }),
  ),
)
const newStyleDay: Rule<number> = token(({ text, value }) =>
  Number.isNaN(value) || text.startsWith('廿') ? undefined : value,
)
/** 十月31, 农历正月十五: a day straight after its month needs no 号. */
const monthAndDay: Rule<Draft> = map(
  sequence(month, newStyleDay, notBefore(word('点 时 点钟 号 日 个 : 月 年 分 分钟 小时 天 周 刻'))),
  ([left, found]) => ({ ...left, day: found }),
)

const monthPart: Rule<Draft> = longest<Draft>(
  ...(
    [
      ['底 末', 'last'],
      ['初', 1],
      ['中', 15],
    ] as const
  ).map(([words, found]) => map(sequence(month, word(words)), ([left]): Draft => ({ ...left, day: found }))),
  map(sequence(optional(step), word('月底 月末')), ([monthOffset]) => ({
    monthOffset: monthOffset ?? 0,
    day: 'last' as const,
  })),
  map(sequence(step, word('月初')), ([monthOffset]) => ({ monthOffset, day: 1 })),
  map(sequence(step, word('月中')), ([monthOffset]) => ({ monthOffset, day: 15 })),
  map(word('月初'), () => ({ day: 1 })),
  map(word('月中'), () => ({ day: 15 })),
  map(sequence(whole, word('月底 月末')), ([found]) => ({ month: found, day: 'last' as const })),
  map(sequence(whole, word('月初')), ([found]) => ({ month: found, day: 1 })),
  map(sequence(whole, word('月中')), ([found]) => ({ month: found, day: 15 })),
  map(sequence(year, word('底 末')), ([left]) => ({ ...left, month: 12, day: 31 })),
  map(word('年底 年末'), () => ({ month: 12, day: 31 })),
  map(word('年初'), () => ({ month: 1, day: 1 })),
)

const nthWeekday: Rule<Draft> = longest<Draft>(
  map(sequence(word('第'), whole, word('个'), weekday), ([, nth, , found]) => ({ nth, weekday: found })),
  map(
    sequence(
      word('最后'),
      token(({ text }) => (text === '一' ? 1 : undefined)),
      word('个'),
      weekday,
    ),
    ([, , , found]) => ({
      nth: -1,
      weekday: found,
    }),
  ),
  map(
    sequence(
      word('最后'),
      token(({ text }) => (text === '一' ? 1 : undefined)),
      word('天'),
    ),
    () => ({
      day: 'last' as const,
    }),
  ),
  map(sequence(word('第'), whole, measureOfWeek()), ([, nth]) => ({ nth, weekOfMonth: true as const })),
)

function measureOfWeek(): Rule<unknown> {
  return sequence(optional(word('个')), weekWord)
}

const holiday: Rule<Draft> = longest<Draft>(
  map(sequence(meaning(HOLIDAY_WORDS), optional(word('当天 当日'))), ([found]) => ({ holiday: found })),
  map(
    token(({ text }) => SHORT_HOLIDAYS.get(text)),
    (found) => ({ holiday: found }),
  ),
  map(
    token(({ text }) => (SOLAR_TERMS.includes(text) ? SOLAR_TERMS.indexOf(text) : undefined)),
    (solarTerm) => ({ solarTerm }),
  ),
)

export const dates: Rule<Draft>[] = [
  day,
  week,
  year,
  month,
  monthAndDay,
  dayNumber,
  oldDay,
  monthPart,
  nthWeekday,
  holiday,
  map(word('农历 阴历 旧历'), () => ({ lunar: true as const })),
]
