import type { Zone } from 'luxon'
import { IANAZone } from 'luxon'
import type { CronRun } from '../cron/next-cron-run'
import { nextCronRun, wallAt } from '../cron/next-cron-run'
import type { Recurrence } from '../contract'
import { occurrencesOf } from './occurrences'
import { readRrule } from './read-rrule'
import type { RepeatRule, Wall } from './repeat-rule'
import { DAY, floorTo, HOUR } from './repeat-rule'

export type RuleRecurrence = Extract<Recurrence, { kind: 'rrule' }>

/** The rule of a recurrence that the reader has made, with its beginning. */
export function ruleOf({ rule: text, start }: RuleRecurrence): { rule: RepeatRule; start: Wall } {
  const read = readRrule(text)
  if ('code' in read) throw new Error(`not a rule of ours: ${read.part}`)
  return { rule: read.rule, start: Date.parse(`${start}Z`) }
}

/** How far apart two wall clocks must be for a change of the clocks not to swap their instants. */
const SETTLED = 4 * HOUR

/** The runs after a moment, rising. A wall clock becomes an instant as it does for Temporal, where the dates are told. */
export function* ruleRuns(recurrence: RuleRecurrence, afterMs: number): Generator<CronRun, void> {
  const { rule, start } = ruleOf(recurrence)
  const zone = IANAZone.create(recurrence.timezone)
  const from = floorTo(wallAt(zone, afterMs), DAY) - DAY
  let waiting: CronRun[] = []
  let skipped: Wall | undefined
  for (const wall of occurrencesOf(rule, start, from)) {
    const settled = waiting.filter(({ ms }) => wallAt(zone, ms) + SETTLED < wall)
    yield* settled
    waiting = waiting.filter((run) => !settled.includes(run))
    const runs = runsAt(wall, zone)
    for (const run of runs) {
      if (run.ms > afterMs) waiting.push(skipped === undefined ? run : { ...run, skipped })
      skipped = undefined
    }
    if (runs.length === 0 && wallAt(zone, afterMs) < wall) skipped ??= wall
    waiting.sort((left, right) => left.ms - right.ms)
  }
  yield* waiting
}

/** The instants of one wall clock: none where the clocks skip it, two where Temporal takes it twice. */
function runsAt(wall: Wall, zone: Zone): CronRun[] {
  const date = new Date(wall)
  const clock = `${date.getUTCMinutes()} ${date.getUTCHours()}`
  const expression = `${clock} ${date.getUTCDate()} ${date.getUTCMonth() + 1} *`
  const runs: CronRun[] = []
  let after = wall - zone.offset(wall) * 60_000 - SETTLED
  for (;;) {
    const run = nextCronRun(expression, zone, after, floorTo(wall, DAY) + DAY)
    if (!run) return runs
    const { skipped: _skipped, ...kept } = run
    runs.push(kept)
    after = run.ms
  }
}
