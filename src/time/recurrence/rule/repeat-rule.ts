export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** A wall clock as milliseconds, as if it were UTC. */
export type Wall = number

/** A weekday from Monday, 1, to Sunday, 7; with `nth` the n-th of its month or year, from the end where it is negative. */
export interface RuleDay {
  weekday: number
  nth?: number
}

/** A recurrence rule of RFC 5545 without its beginning and its end, which stand beside it. */
export interface RepeatRule {
  freq: Frequency
  interval: number
  byMonth?: readonly number[]
  /** Counted from the end of the month where negative. */
  byMonthDay?: readonly number[]
  byDay?: readonly RuleDay[]
  byHour?: readonly number[]
  byMinute?: readonly number[]
  bySetPos?: readonly number[]
  weekStart: number
}

const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const floorTo = (wall: Wall, unit: number): Wall => Math.floor(wall / unit) * unit
/** Monday is 1. */
export const weekdayOf = (wall: Wall): number => new Date(wall).getUTCDay() || 7

/** What a rule leaves open follows from its beginning: FREQ=WEEKLY from a Tuesday at ten is Tuesdays at ten. */
export function completeRule(rule: RepeatRule, start: Wall): RepeatRule {
  const { freq, byMonth, byMonthDay, byDay } = rule
  const at = new Date(start)
  const noDay = !byMonthDay && !byDay
  return {
    ...rule,
    ...(freq === 'YEARLY' && noDay && !byMonth ? { byMonth: [at.getUTCMonth() + 1] } : {}),
    ...((freq === 'YEARLY' || freq === 'MONTHLY') && noDay ? { byMonthDay: [at.getUTCDate()] } : {}),
    ...(freq === 'WEEKLY' && !byDay ? { byDay: [{ weekday: weekdayOf(start) }] } : {}),
    ...(isSubDaily(rule) || rule.byHour ? {} : { byHour: [at.getUTCHours()] }),
    ...(freq === 'MINUTELY' || rule.byMinute ? {} : { byMinute: [at.getUTCMinutes()] }),
  }
}

export const isSubDaily = ({ freq }: RepeatRule): boolean => freq === 'HOURLY' || freq === 'MINUTELY'
