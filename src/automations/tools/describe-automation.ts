import { DateTime } from 'luxon'
import type { AutomationView } from '../contract'
import type { JsonObject, Language } from '../../contracts/words'
import { describeTime } from '../../time'

/** An automation in words and local times that a model can repeat to the person without computing anything. */
export function describeAutomation(view: AutomationView, zone: string, language: Language, now: Date): JsonObject {
  const { automation, words, nextRuns, lastRun, queued } = view
  const [next] = nextRuns
  return {
    automation_id: automation.id,
    id: automation.id,
    name: automation.name,
    message: automation.message,
    words,
    timezone: automation.timezone,
    enabled: automation.state === 'active',
    state: automation.state,
    next_runs: nextRuns.map(({ at }) => localOf(at, zone)),
    next_run: next ? describeTime(next.at, now, zone, language).phrase : null,
    run_notes: nextRuns.flatMap(({ at, note }) => (note ? [{ at: localOf(at, zone), note }] : [])),
    last_run: lastRun ? { state: lastRun.state, at: localOf(lastRun.scheduledAt, zone) } : null,
    queued,
    ends_at: automation.endsAt ? localOf(automation.endsAt, zone) : null,
    max_runs: automation.maxRuns,
    runs_count: automation.runsCount,
  }
}

const localOf = (at: Date, zone: string) =>
  DateTime.fromJSDate(at, { zone }).toISO({ suppressMilliseconds: true }) ?? ''
