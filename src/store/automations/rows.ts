import type { PromiseEventData } from '../../contracts/event'
import type {
  Automation,
  AutomationRun,
  AutomationRunState,
  AutomationState,
  LegacyTarget,
  PromptRef,
} from '../../contracts/automation'
import type { Recurrence } from '../../contracts/recurrence'
import type { Language } from '../../contracts/words'
import type { NewEvent } from '../session-writes'

export interface AutomationRow {
  id: string
  kind: Automation['kind']
  session_key: string | null
  bot_uuid: string
  name: string
  message: string
  recurrence: Recurrence
  timezone: string
  language: Language
  state: AutomationState
  state_reason: string | null
  ends_at: Date | null
  max_runs: number | null
  runs_count: number
  failures_in_row: number
  next_run_at: Date | null
  accounted_until: Date
  legacy: LegacyTarget | null
  version: number
  synced_version: number | null
  synced_at: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

export interface AutomationRunRow {
  id: string
  automation_id: string
  session_key: string
  bot_uuid: string
  scheduled_at: Date
  state: AutomationRunState
  workflow_id: string | null
  turn_id: string | null
  prompt_ref: PromptRef | null
  rendered_prompt: string | null
  error: string | null
  late_by_ms: number | null
  message_id: number | null
  queued_at: Date
  started_at: Date | null
  ended_at: Date | null
}

export function toAutomation(row: AutomationRow): Automation {
  return {
    id: row.id,
    kind: row.kind,
    sessionKey: row.session_key,
    botUuid: row.bot_uuid,
    name: row.name,
    message: row.message,
    recurrence: row.recurrence,
    timezone: row.timezone,
    language: row.language,
    state: row.state,
    stateReason: row.state_reason,
    endsAt: row.ends_at,
    maxRuns: row.max_runs,
    runsCount: row.runs_count,
    failuresInRow: row.failures_in_row,
    nextRunAt: row.next_run_at,
    legacy: row.legacy,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function toAutomationRun(row: AutomationRunRow): AutomationRun {
  return {
    id: row.id,
    automationId: row.automation_id,
    sessionKey: row.session_key,
    scheduledAt: row.scheduled_at,
    state: row.state,
    turnId: row.turn_id,
    promptRef: row.prompt_ref,
    error: row.error,
    lateByMs: row.late_by_ms,
    messageId: row.message_id,
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

/** How an automation and its runs are called in the one list of promises. The list says the same in SQL. */
export const PROMISE_STATES: Record<AutomationState | AutomationRunState, string> = {
  active: 'pending',
  paused: 'paused',
  auto_paused: 'paused',
  ended: 'ended',
  queued: 'pending',
  running: 'pending',
  succeeded: 'sent',
  empty: 'sent',
  failed: 'failed',
  missed: 'missed',
  cancelled: 'cancelled',
}

export function automationEvent(row: AutomationRow): NewEvent {
  const data: PromiseEventData = {
    kind: 'automation',
    id: row.id,
    state: row.deleted_at ? 'cancelled' : PROMISE_STATES[row.state],
    due_at: (row.next_run_at ?? row.updated_at).toISOString(),
    summary: row.name,
    late_by_ms: null,
  }
  return { name: 'promise', data }
}

export function automationRunEvent(run: AutomationRunRow, name: string): NewEvent {
  const data: PromiseEventData & { run_state: string; automation_id: string } = {
    kind: 'automation_run',
    id: run.id,
    automation_id: run.automation_id,
    state: PROMISE_STATES[run.state],
    run_state: run.state,
    due_at: run.scheduled_at.toISOString(),
    summary: name,
    late_by_ms: run.late_by_ms,
  }
  return { name: 'promise', data }
}
