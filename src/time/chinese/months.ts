import type { Draft } from '../draft'
import { longest, map, meaning, notBefore, number, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { digits, whole } from './numbers'
import { numbered, step } from './steps'

const YEARS = numbered([
  ['前年', -2],
  ['去年', -1],
  ['今年 本年 当年', 0],
  ['明年 来年 次年', 1],
  ['后年', 2],
  ['大后年', 3],
])
const MONTHS = numbered([
  ['本月 当月 今个月', 0],
  ['次月', 1],
])
const year: Rule<Draft> = longest<Draft>(
  map(meaning(YEARS), (yearOffset) => ({ yearOffset })),
  map(sequence(digits, word('年')), ([written]) => yearOf(written)),
  map(sequence(step, word('年')), ([yearOffset]) => ({ yearOffset })),
)

function yearOf(written: string): Draft | undefined {
  if (written.length === 4) return { year: Number(written) }
  return written.length === 2 ? { year: Number(written) + (Number(written) < 70 ? 2000 : 1900) } : undefined
}

const LUNAR_MONTHS = numbered([
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
    number(({ text, value }) => (text.startsWith('廿') ? value : undefined)),
    (found) => ({ day: found, lunar: true }),
  ),
)
const newStyleDay: Rule<number> = number(({ text, value }) =>
  Number.isNaN(value) || text.startsWith('廿') ? undefined : value,
)
/** 十月31, 农历正月十五: a day straight after its month needs no 号. */
const monthAndDay: Rule<Draft> = map(
  sequence(month, newStyleDay, notBefore(word('点 时 点钟 号 日 个 : 月 年 分 分钟 小时 天 周 刻'))),
  ([left, found]) => ({ ...left, day: found }),
)

const PARTS = new Map<string, Draft['day']>([
  ['底', 'last'],
  ['末', 'last'],
  ['初', 1],
  ['中', 15],
])
const monthPart: Rule<Draft> = longest<Draft>(
  map(sequence(month, meaning(PARTS), notBefore(whole)), ([left, found]) => ({ ...left, day: found })),
  map(sequence(word('月'), word('底 末')), () => ({ monthOffset: 0, day: 'last' as const })),
  map(sequence(word('月'), meaning(PARTS)), ([, found]) => ({ day: found })),
)
const yearPart: Rule<Draft> = longest<Draft>(
  map(sequence(optional(year), word('年'), word('底 末')), ([left]) => ({ ...left, month: 12, day: 31 })),
  map(sequence(year, word('底 末')), ([left]) => ({ ...left, month: 12, day: 31 })),
  map(sequence(optional(year), word('年'), word('初')), ([left]) => ({ ...left, month: 1, day: 1 })),
)

export const months: Rule<Draft>[] = [
  year,
  month,
  monthAndDay,
  dayNumber,
  oldDay,
  monthPart,
  yearPart,
  map(word('农历 阴历 旧历'), () => ({ lunar: true as const })),
]
