import { IANAZone } from 'luxon'
import type { NextRun, Recurrence, RunNote } from './contract'
import { compileCron, runsEveryHour } from './cron/compile-cron'
import type { CronRun } from './cron/next-cron-run'
import { nextCronRun } from './cron/next-cron-run'
import type { RuleRecurrence } from './rule/next-rule-runs'
import { ruleRuns } from './rule/next-rule-runs'

/** The runs after a moment, as Temporal will take them. An interval is counted from `phaseFrom`, its creation. */
export function nextRuns(recurrence: Recurrence, after: Date, count: number, phaseFrom: Date = after): NextRun[] {
  if (recurrence.kind === 'rrule') return nextRuleRuns(recurrence, after, count)
  if (recurrence.kind === 'at') {
    const at = new Date(recurrence.at)
    return at > after && count > 0 ? [{ at }] : []
  }
  const { from } = recurrence
  const last = from === undefined ? after : new Date(Math.max(after.getTime(), Date.parse(from) - 1000))
  if (recurrence.kind === 'cron') return nextCronRuns(recurrence.expressions, recurrence.timezone, last, count)
  return nextIntervals(recurrence.seconds, last, count, from === undefined ? phaseFrom : new Date(from))
}

function nextRuleRuns(recurrence: RuleRecurrence, after: Date, count: number): NextRun[] {
  const runs: NextRun[] = []
  if (count < 1) return runs
  for (const run of ruleRuns(recurrence, after.getTime())) {
    runs.push(toNextRun(run))
    if (runs.length === count) break
  }
  return runs
}

function nextIntervals(seconds: number, after: Date, count: number, phaseFrom: Date): NextRun[] {
  const phase = secondsOf(phaseFrom) % seconds
  const first = (Math.floor((secondsOf(after) - phase) / seconds) + 1) * seconds + phase
  return Array.from({ length: count }, (_, index) => ({ at: new Date((first + index * seconds) * 1000) }))
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

function nextCronRuns(expressions: string[], timezone: string, after: Date, count: number): NextRun[] {
  const runs: NextRun[] = []
  let from = after.getTime()
  while (runs.length < count) {
    const run = firstRun(expressions, timezone, from)
    if (!run) break
    runs.push(toNextRun(run))
    from = run.ms
  }
  return runs
}

/** The earliest of several expressions; two that meet are one run. */
export function firstRun(expressions: string[], timezone: string, afterMs: number): CronRun | undefined {
  const zone = IANAZone.create(timezone)
  const runs = expressions
    .map((expression) => {
      const cron = compileCron(expression)
      const run = nextCronRun(cron, zone, afterMs)
      // Who runs every hour hardly misses one that the clocks skip, nor minds one more.
      return run && runsEveryHour(cron) ? { ms: run.ms } : run
    })
    .filter((run) => run !== undefined)
  return runs.reduce<CronRun | undefined>((first, run) => (first && first.ms <= run.ms ? first : run), undefined)
}

function toNextRun(run: CronRun): NextRun {
  const note = noteOf(run)
  return { at: new Date(run.ms), ...(note ? { note } : {}) }
}

function noteOf({ skipped, movedFrom, repeated }: CronRun): RunNote | undefined {
  if (skipped !== undefined || movedFrom !== undefined) return 'dst_gap'
  return repeated ? 'dst_repeat' : undefined
}
