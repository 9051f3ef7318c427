import { Type } from 'typebox'
import { automationScheduleId, AUTOMATION_RUN_STATES, AUTOMATION_STATES } from './contract'
import type { AutomationRun, AutomationView as View } from './contract'
import { Nullable } from '../http/schemas/primitives'

export const AutomationRunView = Type.Object({
  id: Type.String({ description: '`<automation id>:<slot in milliseconds>`' }),
  state: Type.Enum(AUTOMATION_RUN_STATES),
  scheduled_at: Type.String(),
  queued_at: Type.String(),
  started_at: Nullable(Type.String()),
  ended_at: Nullable(Type.String()),
  late_by_ms: Nullable(Type.Integer()),
  error: Nullable(Type.String({ description: 'Why it failed, was missed or was cancelled.' })),
  error_detail: Nullable(Type.String({ description: 'What stood behind the error, shortened.' })),
  message_id: Nullable(Type.Integer({ description: 'The answer, or the closing, in the history.' })),
  turn_id: Nullable(Type.String()),
  prompt_ref: Nullable(Type.Object({ id: Type.String(), version: Type.Integer(), sha256: Type.String() })),
})

export const AutomationView = Type.Object({
  id: Type.String(),
  session_key: Nullable(Type.String()),
  bot_uuid: Type.String(),
  name: Type.String(),
  message: Type.String(),
  enabled: Type.Boolean(),
  state: Type.Enum(AUTOMATION_STATES),
  state_reason: Nullable(Type.String()),
  schedule: Type.Object({
    kind: Type.String({ description: 'cron, rrule, every or at' }),
    expressions: Type.Optional(Type.Array(Type.String())),
    rule: Type.Optional(Type.String({ description: 'A recurrence rule of RFC 5545, without its beginning and end.' })),
    start: Type.Optional(Type.String({ description: 'The wall clock from which the rule counts.' })),
    from: Type.Optional(Type.String({ description: 'No run before this moment.' })),
    seconds: Type.Optional(Type.Integer()),
    at: Type.Optional(Type.String()),
    timezone: Type.String(),
  }),
  words: Type.String({ description: 'The schedule as a person reads it.' }),
  next_run_at: Nullable(Type.String()),
  next_runs: Type.Array(Type.String(), { description: 'The next five at most.' }),
  run_notes: Type.Array(
    Type.Object({ at: Type.String(), note: Type.String({ description: 'dst_gap or dst_repeat' }) }),
  ),
  last_run: Nullable(AutomationRunView),
  queued: Type.Boolean({ description: 'One waits for the turn before it.' }),
  runs_count: Type.Integer(),
  max_runs: Nullable(Type.Integer()),
  ends_at: Nullable(Type.String()),
  failures_in_row: Type.Integer(),
  daily_tokens: Nullable(Type.Integer()),
  schedule_id: Type.String({ description: 'What Temporal calls the schedule.' }),
  created_at: Type.String(),
})

export function showAutomation(view: View) {
  const { automation, words, nextRuns, lastRun, queued } = view
  return {
    id: automation.id,
    session_key: automation.sessionKey,
    bot_uuid: automation.botUuid,
    name: automation.name,
    message: automation.message,
    enabled: automation.state === 'active',
    state: automation.state,
    state_reason: automation.stateReason,
    schedule: { ...automation.recurrence, timezone: automation.timezone },
    words,
    next_run_at: nextRuns[0]?.at.toISOString() ?? null,
    next_runs: nextRuns.map(({ at }) => at.toISOString()),
    run_notes: nextRuns.flatMap(({ at, note }) => (note ? [{ at: at.toISOString(), note }] : [])),
    last_run: lastRun ? showRun(lastRun) : null,
    queued,
    runs_count: automation.runsCount,
    max_runs: automation.maxRuns,
    ends_at: automation.endsAt?.toISOString() ?? null,
    failures_in_row: automation.failuresInRow,
    daily_tokens: automation.dailyTokens,
    schedule_id: automationScheduleId(automation.id),
    created_at: automation.createdAt.toISOString(),
  }
}

export function showRun(run: AutomationRun) {
  return {
    id: run.id,
    state: run.state,
    scheduled_at: run.scheduledAt.toISOString(),
    queued_at: run.queuedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    ended_at: run.endedAt?.toISOString() ?? null,
    late_by_ms: run.lateByMs,
    error: run.error,
    error_detail: run.errorDetail,
    message_id: run.messageId,
    turn_id: run.turnId,
    prompt_ref: run.promptRef,
  }
}
