import { DateTime, IANAZone } from 'luxon'
import type { Recurrence } from './contract'
import { compileCron } from './cron/compile-cron'
import type { CronRun } from './cron/next-cron-run'
import { firstRun } from './next-runs'
import { ruleOf, ruleRuns } from './rule/next-rule-runs'

type Language = 'zh' | 'en'
const HOUR = 3_600_000
const DAY = 86_400_000

/** What a person should know of a recurrence within the coming year, besides its words. */
export function notesFor(recurrence: Recurrence, now: Date, language: Language): string[] {
  if (recurrence.kind !== 'cron' && recurrence.kind !== 'rrule') return []
  return [...missingDays(daysOf(recurrence), language), ...clockChanges(recurrence, now.getTime(), language)]
}

type OnDays = Extract<Recurrence, { kind: 'cron' | 'rrule' }>
interface NamedDays {
  day: readonly number[]
  month: readonly number[]
}
const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** The days of the month by number; those counted from its end are in every month. */
function daysOf(recurrence: OnDays): NamedDays[] {
  if (recurrence.kind === 'cron')
    return recurrence.expressions.map(compileCron).map(({ day, month }) => ({ day: [...day], month: [...month] }))
  const { byMonthDay, byMonth = MONTHS } = ruleOf(recurrence).rule
  return byMonthDay ? [{ day: byMonthDay, month: byMonth }] : []
}

/** 31 is not in every month, and 29 February not in every year: such a run is left out, not moved. */
function missingDays(named: NamedDays[], language: Language): string[] {
  const missing = new Set(
    named
      .filter(({ day }) => Math.min(...day) > 28)
      .flatMap(({ day, month }) => month.map((each) => ({ each, first: Math.min(...day) })))
      .filter(({ each, first }) => first > shortestLength(each))
      .map(({ first }) => first),
  )
  return [...missing].map((day) =>
    language === 'zh' ? `没有${day}号的月份不会运行` : `Months without a day ${day} are left out`,
  )
}

const shortestLength = (month: number): number => new Date(Date.UTC(2027, month, 0)).getUTCDate()

function clockChanges(recurrence: OnDays, nowMs: number, language: Language): string[] {
  const said: string[] = []
  const { timezone } = recurrence
  for (const change of changesAhead(timezone, nowMs)) {
    for (const run of runsAfter(recurrence, Math.max(change - 3 * HOUR, nowMs))) {
      const sentence = sentenceFor(run, timezone, language)
      // One sentence a change tells enough, however many runs it meets.
      if (sentence) said.push(sentence)
      if (sentence || run.ms > change + 3 * HOUR) break
    }
  }
  return said
}

function* runsAfter(recurrence: OnDays, afterMs: number): Generator<CronRun, void> {
  if (recurrence.kind === 'rrule') return yield* ruleRuns(recurrence, afterMs)
  const { expressions, timezone } = recurrence
  let run = firstRun(expressions, timezone, afterMs)
  while (run) {
    yield run
    run = firstRun(expressions, timezone, run.ms)
  }
}

/** The instants within a year at which the zone's offset changes, to the minute. */
function changesAhead(timezone: string, nowMs: number): number[] {
  const zone = IANAZone.create(timezone)
  const changes: number[] = []
  for (let day = nowMs; day < nowMs + 366 * DAY; day += DAY) {
    if (zone.offset(day) === zone.offset(day + DAY)) continue
    let [low, high] = [day, day + DAY]
    while (high - low > 60_000) {
      const middle = (low + high) / 2
      if (zone.offset(middle) === zone.offset(low)) low = middle
      else high = middle
    }
    changes.push(high)
  }
  return changes
}

const wallText = (wall: number): string => DateTime.fromMillis(wall, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm')

function sentenceFor(run: CronRun, timezone: string, language: Language): string | undefined {
  const local = DateTime.fromMillis(run.ms, { zone: timezone })
  if (run.skipped !== undefined) {
    const missing = wallText(run.skipped)
    return language === 'zh'
      ? `${missing} 因夏令时不存在,这一次会跳过`
      : `${missing} does not exist there (clocks go forward), so that run is skipped`
  }
  if (run.movedFrom !== undefined) {
    const [missing, clock] = [wallText(run.movedFrom), local.toFormat('HH:mm')]
    return language === 'zh'
      ? `${missing} 因夏令时不存在,改在 ${clock} 运行`
      : `${missing} does not exist there (clocks go forward), so that run comes at ${clock}`
  }
  if (!run.repeated) return undefined
  return language === 'zh'
    ? `${local.toFormat('yyyy-MM-dd')} 夏令时结束,当晚会多运行一次(${local.toFormat('HH:mm')})`
    : `On ${local.toFormat('yyyy-MM-dd')} the clocks go back, so it runs once more at ${local.toFormat('HH:mm')}`
}
