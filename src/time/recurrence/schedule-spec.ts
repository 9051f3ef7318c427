import type { Recurrence, RecurrenceSpec } from './contract'
import { materialise } from './rule/materialise'

/**
 * The recurrence as a Temporal Schedule takes it. A moment that happens once is a calendar with its seconds and year, and so
 * are the dates of a rule, a year ahead of `now`: they must be told anew before they run out.
 */
export function toScheduleSpec(recurrence: Recurrence, phaseFrom: Date, now: Date): RecurrenceSpec {
  if (recurrence.kind === 'rrule') {
    return { cronExpressions: materialise(recurrence, now), timezone: recurrence.timezone }
  }
  if (recurrence.kind === 'cron') {
    const { expressions: cronExpressions, timezone, from } = recurrence
    return { cronExpressions, timezone, ...startingAt(from) }
  }
  if (recurrence.kind === 'every') {
    const { seconds, from } = recurrence
    const phase = from === undefined ? phaseFrom : new Date(from)
    const offsetSeconds = Math.floor(phase.getTime() / 1000) % seconds
    return { intervalSeconds: seconds, offsetSeconds, ...startingAt(from) }
  }
  const at = new Date(recurrence.at)
  const clock = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()}`
  return {
    cronExpressions: [`${clock} ${at.getUTCDate()} ${at.getUTCMonth() + 1} * ${at.getUTCFullYear()}`],
    timezone: 'UTC',
  }
}

const startingAt = (from: string | undefined): { startAt?: Date } =>
  from === undefined ? {} : { startAt: new Date(from) }
