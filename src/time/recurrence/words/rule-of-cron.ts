import { compileCron } from '../cron/compile-cron'
import type { RepeatRule } from '../rule/repeat-rule'

const rising = (values: ReadonlySet<number>): number[] => [...values].sort((left, right) => left - right)
/** The second Tuesday is kept as the Tuesday from the 8th to the 14th. */
const isWeekOfMonth = (days: readonly number[]): boolean =>
  days.length === 7 && ((days[0] ?? 0) - 1) % 7 === 0 && (days[6] ?? 0) <= 28

/** A cron expression of ours as the rule that says the same, for its words. */
export function ruleOfCron(expression: string): RepeatRule {
  const cron = compileCron(expression)
  const byMonth = cron.month.size === 12 ? {} : { byMonth: rising(cron.month) }
  const days = rising(cron.day)
  const weekdays = rising(new Set([...cron.weekday].map((day) => day || 7)))
  const clocks = { byHour: rising(cron.hour), byMinute: rising(cron.minute) }
  const base = { interval: 1, weekStart: 1, ...byMonth, ...clocks }
  const everyWeekday = weekdays.length === 7
  if (days.length === 31) {
    if (everyWeekday) return { ...base, freq: 'DAILY' }
    return { ...base, freq: 'WEEKLY', byDay: weekdays.map((weekday) => ({ weekday })) }
  }
  const freq = cron.month.size === 12 ? 'MONTHLY' : 'YEARLY'
  if (everyWeekday) return { ...base, freq, byMonthDay: days }
  if (isWeekOfMonth(days)) {
    const nth = ((days[0] ?? 1) + 6) / 7
    return { ...base, freq, byDay: weekdays.map((weekday) => ({ weekday, nth })) }
  }
  return { ...base, freq, byMonthDay: days, byDay: weekdays.map((weekday) => ({ weekday })) }
}
