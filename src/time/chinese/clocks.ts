import type { Clock, Draft, Period } from '../draft'
import { digitalClock } from '../digital-clock'
import { either, longest, map, meaning, notBefore, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { whole } from './numbers'

export const PERIODS = new Map<string, Period>(
  Object.entries({
    'night-end': '凌晨 后半夜',
    dawn: '清晨 清早 大清早 晨 黎明 拂晓 天亮',
    morning: '早晨 早上 早间 早 一早 一大早 大早上 朝早 朝',
    forenoon: '上午 午前 上昼',
    noon: '中午 正午 午间 晌午',
    afternoon: '下午 午后 晏昼 下昼',
    dusk: '傍晚 黄昏',
    evening: '晚上 晚 晚间 大晚上 入夜 晚黑',
    night: '夜里 夜晚 夜间 深夜 半夜 大半夜 夜 前半夜 三更半夜',
  } satisfies Record<Period, string>).flatMap(([period, words]) =>
    words.split(' ').map((name): [string, Period] => [name, period as Period]),
  ),
)

/** A day and a part of it in one word, such as 明早. */
const DAY_AND_PERIOD = new Map<string, Draft>(
  [
    ['今早 今晨 今朝 今早上', 0, 'morning'],
    ['今晚 今夜 当晚 当夜 今晚上', 0, 'evening'],
    ['明早 明晨 听朝 明早上', 1, 'morning'],
    ['明晚 明夜 听晚 明晚上', 1, 'evening'],
    ['昨晚 昨夜', -1, 'evening'],
  ].flatMap(([words, dayOffset, period]) =>
    String(words)
      .split(' ')
      .map((name): [string, Draft] => [name, { dayOffset: Number(dayOffset), period: period as Period }]),
  ),
)

const hourMark = either(word('点 点钟'), word('时'))
const second: Rule<number> = map(sequence(whole, word('秒')), ([value]) => value)
const quarters: Rule<number> = map(sequence(whole, word('刻')), ([count]) => (count < 4 ? count * 15 : undefined))
const minutes: Rule<number> = map(
  sequence(whole, notBefore(word('刻 个 天 小时 分钟 号 日 月 点 年 :')), optional(word('分'))),
  ([value]) => value,
)

/** Cantonese counts the minutes in fives: 三點搭三, 三點三個字. */
const fives: Rule<number> = longest(
  map(sequence(word('搭 踏'), whole), ([, count]) => (count < 12 ? count * 5 : undefined)),
  map(sequence(word('搭 踏'), word('半')), () => 30),
  map(sequence(whole, word('个'), word('字')), ([count]) => (count < 12 ? count * 5 : undefined)),
)

interface Rest {
  minute?: number
  second?: number
}
const minuteOfHour = longest(quarters, minutes, fives)
const rest: Rule<Rest> = longest<Rest>(
  map(sequence(word('半'), optional(second)), ([, seconds]) => ({ minute: 30, second: seconds })),
  map(sequence(minuteOfHour, optional(second)), ([minute, seconds]) => ({ minute, second: seconds })),
  map(sequence(word('过 零'), minuteOfHour, optional(second)), ([, minute, seconds]) => ({ minute, second: seconds })),
)

const clockOf = (hour: number, { minute = 0, second: seconds = 0 }: Rest = {}): Clock => ({
  hour,
  minute,
  second: seconds,
  ...(hour === 0 || hour > 12 ? { exact: true } : {}),
})

/** 时 is the written word, of timetables and the 24-hour clock; 点 is what people say. */
const spoken: Rule<Clock> = map(sequence(whole, hourMark, optional(rest)), ([hour, mark, more]) => ({
  ...clockOf(hour, more),
  ...(mark === '时' ? { exact: true } : {}),
}))

/** 差五分三点, 三点差一刻. */
const shortOf: Rule<number> = map(
  sequence(
    word('差'),
    longest(
      quarters,
      map(sequence(whole, word('分 分钟')), ([value]) => value),
    ),
    optional(word('到')),
  ),
  ([, minute]) => -minute,
)
const shortOfHour: Rule<Clock> = either(
  map(sequence(shortOf, whole, hourMark), ([shiftMinutes, hour]) => ({ ...clockOf(hour), shiftMinutes })),
  map(sequence(whole, hourMark, shortOf), ([hour, , shiftMinutes]) => ({ ...clockOf(hour), shiftMinutes })),
)

const midnight: Rule<Draft> = map(
  sequence(word('午夜 子夜'), optional(sequence(word('12 十二 0 零'), hourMark))),
  () => ({ clock: { ...clockOf(0), exact: true } }),
)
const ending = optional(sequence(optional(word('多 许')), optional(word('钟')), optional(word('整 正 许'))))

const clock: Rule<Draft> = map(
  sequence(
    longest(
      spoken,
      shortOfHour,
      map(sequence(digitalClock, optional(word('分'))), ([found]) => found),
    ),
    ending,
  ),
  ([found]) => ({ clock: found }),
)

const period: Rule<Draft> = map(sequence(meaning(PERIODS), optional(word('里 时分'))), ([found]) => ({ period: found }))

export const clocks: Rule<Draft>[] = [clock, midnight, period, meaning(DAY_AND_PERIOD)]
