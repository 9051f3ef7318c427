import { clocks as chineseClocks } from '../../chinese/clocks'
import type { Draft } from '../../draft'
import { at } from '../../english/clock-shapes'
import { clocks as englishClocks } from '../../english/clocks'
import { whole } from '../../english/numbers'
import { period as englishPeriod } from '../../english/periods'
import { longest, many, map, optional, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import type { SaidTime } from '../../said-span'
import type { Piece } from './piece'

/** A clock with a part of the day before or after it; 今晚 names a day and 8点纽约时间 a zone, which no window can hold. */
const saidClock: Rule<SaidTime> = map(many(longest(...chineseClocks, ...englishClocks, englishPeriod)), (drafts) => {
  const said: SaidTime = {}
  for (const { clock, period, ...rest } of drafts satisfies Draft[]) {
    const isTaken = (clock && said.clock) || (period && said.period)
    if (isTaken || Object.keys(rest).length > 0) return undefined
    Object.assign(said, clock ? { clock } : {}, period ? { period } : {})
  }
  return said.clock ? said : undefined
})
const bareHour: Rule<SaidTime> = map(whole, (hour) => (hour <= 24 ? { clock: at(hour) } : undefined))
const hour = longest(saidClock, bareHour)
const between = optional(word('之间 期间 内'))

/** "from 9 to 5", 9点到18点; bare numbers need the words around them, since "9-17" is also a day in September. */
export const windows: Rule<Piece[]> = map(
  longest<[SaidTime, SaidTime]>(
    map(sequence(word('between'), hour, word('and to -'), hour), ([, from, , to]) => [from, to]),
    map(sequence(word('from 从'), hour, word('to till until through - 到 至'), hour, between), ([, from, , to]) => [
      from,
      to,
    ]),
    map(sequence(saidClock, word('to till until through - ~ 到 至'), saidClock, between), ([from, , to]) => [from, to]),
    map(sequence(bareHour, word('to'), bareHour), ([from, , to]) => [from, to]),
  ),
  ([from, to]) => [{ kind: 'window', window: { from, to } }],
)
