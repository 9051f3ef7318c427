import { IANAZone } from 'luxon'
import { wallAt } from '../cron/next-cron-run'
import type { RuleRecurrence } from './next-rule-runs'
import { ruleOf } from './next-rule-runs'
import { datesOf } from './dates-of'
import { occurrencesOf } from './occurrences'
import type { Wall } from './repeat-rule'
import { DAY, floorTo } from './repeat-rule'

/** Somewhat more than a year, since what is told is renewed every few days. */
const AHEAD = 400 * DAY
/** A rule that runs every few minutes is told for at least two weeks; one of every few years for its next runs. */
const MOST_DATES = 20_160
const FEWEST_DATES = 5
/**
 * Clocks that differ from day to day (every 61 minutes) are at most 24 expressions a day: so many are six weeks, and Temporal
 * takes them within the deadline of a call.
 */
const MOST_EXPRESSIONS = 1_000

/**
 * The dates of a rule as Temporal's cron takes them, seconds and year included: `0 0 9 1,15,29 12 * 2026`. Those of a month
 * with the same clocks are one expression; a day back is told too, so that nothing is lost while Temporal catches up.
 */
export function materialise(recurrence: RuleRecurrence, now: Date): string[] {
  const { rule, start } = ruleOf(recurrence)
  const today = floorTo(wallAt(IANAZone.create(recurrence.timezone), now.getTime()), DAY)
  const walls: Wall[] = []
  for (const wall of occurrencesOf(rule, start, today - DAY)) {
    if (walls.length >= MOST_DATES || (wall > today + AHEAD && walls.length >= FEWEST_DATES)) break
    walls.push(wall)
  }
  const expressions = new Map<string, Set<number>>()
  let lastDay: Wall | undefined
  for (const [day, clock] of datesOf(walls)) {
    if (day !== lastDay && expressions.size >= MOST_EXPRESSIONS) break
    lastDay = day
    const date = new Date(day)
    const key = `0 ${clock} DAYS ${date.getUTCMonth() + 1} * ${date.getUTCFullYear()}`
    expressions.set(key, (expressions.get(key) ?? new Set()).add(date.getUTCDate()))
  }
  return [...expressions].map(([key, days]) => key.replace('DAYS', [...days].join(',')))
}
