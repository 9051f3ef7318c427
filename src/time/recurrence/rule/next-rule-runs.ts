import type { Zone } from 'luxon'
import { IANAZone } from 'luxon'
import type { CronRun } from '../cron/next-cron-run'
import { compileCron } from '../cron/compile-cron'
import { nextCronRun, isSkipped, wallAt } from '../cron/next-cron-run'
import type { Recurrence } from '../contract'
import { datesOf } from './dates-of'
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
  let ofDay: Wall[] = []
  let waiting: CronRun[] = []
  let lost: Wall | undefined
  const take = (): void => {
    const [next, ...later] = runsOfDay(ofDay, zone, afterMs)
    if (next) waiting.push(lost === undefined ? next : { ...next, skipped: lost }, ...later)
    lost = lastLost(ofDay, later.at(-1) ?? next, zone, afterMs) ?? (next ? undefined : lost)
    waiting.sort((left, right) => left.ms - right.ms)
  }
  for (const wall of occurrencesOf(rule, start, from)) {
    const [first] = ofDay
    if (first !== undefined && floorTo(first, DAY) !== floorTo(wall, DAY)) {
      take()
      const settled = waiting.filter(({ ms }) => wallAt(zone, ms) + SETTLED < wall)
      yield* settled
      waiting = waiting.slice(settled.length)
      ofDay = []
    }
    ofDay.push(wall)
  }
  take()
  yield* waiting
}

/** A clock of the day that is skipped and after which the day has no run: the run of a later day tells of it. */
function lastLost(walls: readonly Wall[], last: CronRun | undefined, zone: Zone, afterMs: number): Wall | undefined {
  if (steadyOffset(walls, zone) !== undefined) return undefined
  const after = wallAt(zone, Math.max(afterMs, last?.ms ?? afterMs))
  return walls.findLast((wall) => wall > after && isSkipped(zone, wall))
}

/** The instants of a day's clocks. */
function runsOfDay(walls: readonly Wall[], zone: Zone, afterMs: number): CronRun[] {
  const offset = steadyOffset(walls, zone)
  if (offset === undefined) return runsOfChange(walls, zone, afterMs)
  return walls.map((wall) => ({ ms: wall - offset })).filter(({ ms }) => ms > afterMs)
}

/** The offset, where no clock changes from the day before to the day after: a day may hold a run a minute, and walking is slow. */
function steadyOffset([first]: readonly Wall[], zone: Zone): number | undefined {
  if (first === undefined) return 0
  const from = floorTo(first, DAY) - DAY
  const offsets = new Set(Array.from({ length: 13 }, (_, index) => zone.offset(from + index * 6 * HOUR)))
  return offsets.size === 1 ? zone.offset(from) * 60_000 : undefined
}

/** Around a change of the clocks they are walked together, as Temporal walks them: some are skipped, some come twice. */
function runsOfChange(walls: readonly Wall[], zone: Zone, afterMs: number): CronRun[] {
  const runs = new Map<number, CronRun>()
  for (const [day, clock] of datesOf(walls)) {
    const date = new Date(day)
    const cron = compileCron(`${clock} ${date.getUTCDate()} ${date.getUTCMonth() + 1} *`)
    let after = day - zone.offset(day) * 60_000 - SETTLED
    for (;;) {
      const run = nextCronRun(cron, zone, after, day + DAY)
      if (!run) break
      if (run.ms > afterMs) runs.set(run.ms, run)
      after = run.ms
    }
  }
  return [...runs.values()].sort((left, right) => left.ms - right.ms)
}
