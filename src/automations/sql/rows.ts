import type { PromiseEventData } from '../../contracts/event'
import type { Automation, AutomationRun, AutomationRunState, AutomationState } from '../contract'
import type { NewEvent } from '../../engine/session-writes'

/** An automation, with whether it is deleted where it may be. */
export interface AutomationRow extends Automation {
  deletedAt?: Date | null
}

const columnsOf = (table: string, names: string) =>
  names
    .split(' ')
    .map((name) => `${table}.${name}`)
    .join(', ')

/** The columns of an `Automation`. */
export const AUTOMATION = columnsOf(
  'automations',
  'id kind session_key bot_uuid name message recurrence timezone language state state_reason ends_at max_runs runs_count ' +
    'failures_in_row daily_tokens next_run_at legacy version created_at updated_at',
)

/** The columns of an `AutomationRun`. */
export const AUTOMATION_RUN = columnsOf(
  'automation_runs',
  'id automation_id session_key scheduled_at state turn_id prompt_ref error error_detail late_by_ms message_id queued_at ' +
    'started_at ended_at',
)

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
    state: row.deletedAt ? 'cancelled' : PROMISE_STATES[row.state],
    due_at: (row.nextRunAt ?? row.updatedAt).toISOString(),
    summary: row.name,
    late_by_ms: null,
  }
  return { name: 'promise', data }
}

export function automationRunEvent(run: AutomationRun, name: string): NewEvent {
  const data: PromiseEventData & { run_state: string; automation_id: string } = {
    kind: 'automation_run',
    id: run.id,
    automation_id: run.automationId,
    state: PROMISE_STATES[run.state],
    run_state: run.state,
    due_at: run.scheduledAt.toISOString(),
    summary: name,
    late_by_ms: run.lateByMs,
  }
  return { name: 'promise', data }
}
