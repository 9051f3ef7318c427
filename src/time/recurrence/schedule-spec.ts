import type { Recurrence, RecurrenceSpec } from './contract'

/** The recurrence as a Temporal Schedule takes it. A moment that happens once is a calendar with its seconds and year. */
export function toScheduleSpec(recurrence: Recurrence, phaseFrom: Date): RecurrenceSpec {
  if (recurrence.kind === 'cron') {
    return { cronExpressions: recurrence.expressions, timezone: recurrence.timezone }
  }
  if (recurrence.kind === 'every') {
    const offsetSeconds = Math.floor(phaseFrom.getTime() / 1000) % recurrence.seconds
    return { intervalSeconds: recurrence.seconds, offsetSeconds }
  }
  const at = new Date(recurrence.at)
  const clock = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()}`
  return {
    cronExpressions: [`${clock} ${at.getUTCDate()} ${at.getUTCMonth() + 1} * ${at.getUTCFullYear()}`],
    timezone: 'UTC',
  }
}
