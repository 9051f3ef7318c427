import type { Draft } from '../draft'
import { longest, many, map, meaning, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { HOLIDAY_WORDS, SOLAR_TERMS, WEEKDAY_WORDS } from './lexicon'
import { whole } from './numbers'
import { numbered, step } from './steps'

const DAYS = numbered([
  ['前天 前日', -2],
  ['大前天', -3],
  ['昨天 昨日 昨儿 寻日', -1],
  ['今天 今日 今儿 今儿个 当天 当日', 0],
  ['明天 明日 明儿 明儿个 听日 次日 翌日 隔天 第二天', 1],
  ['后天 后日 后儿', 2],
])
/** Known by their digits: 十一 is also eleven, so a month, an hour or a unit after it wins by length. */
const SHORT_HOLIDAYS = new Map([
  ['十一', 'national'],
  ['五一', 'labour'],
  ['六一', 'children'],
  ['五四', 'youth'],
  ['三八', 'women'],
])

const SOLAR_TERM_NUMBERS = new Map(SOLAR_TERMS.map((name, index) => [name, index]))

const day: Rule<Draft> = longest<Draft>(
  map(meaning(DAYS), (dayOffset) => ({ dayOffset })),
  map(sequence(many(word('大')), word('后天 后日')), ([far]) => ({ dayOffset: 2 + far.length })),
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

const lastOne = sequence(word('最后'), word('一'))
const nthWeekday: Rule<Draft> = longest<Draft>(
  map(sequence(word('第'), whole, word('个'), weekday), ([, nth, , found]) => ({ nth, weekday: found })),
  map(sequence(word('第'), whole, optional(word('个')), weekWord), ([, nth]) => ({ nth, weekOfMonth: true as const })),
  map(sequence(lastOne, word('个'), weekday), ([, , found]) => ({ nth: -1, weekday: found })),
  map(sequence(lastOne, word('天')), () => ({ day: 'last' as const })),
)

const holiday: Rule<Draft> = longest<Draft>(
  map(sequence(meaning(HOLIDAY_WORDS), optional(word('当天 当日'))), ([found]) => ({ holiday: found })),
  map(meaning(SHORT_HOLIDAYS), (found) => ({ holiday: found })),
  map(meaning(SOLAR_TERM_NUMBERS), (solarTerm) => ({ solarTerm })),
)

export const days: Rule<Draft>[] = [day, week, nthWeekday, holiday]
