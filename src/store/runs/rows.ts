import type { RunResult } from '../../contracts/plugin'
import type { Run, RunEvent, RunEventType, RunOrigin, RunStatus, RunStep, StepStatus } from '../../contracts/run'
import type { JsonObject, Language } from '../../contracts/words'

export interface RunRow {
  id: string
  session_key: string | null
  bot_uuid: string
  origin: RunOrigin
  status: RunStatus
  language: Language
  timezone: string
  overlays: Record<string, string>
  cancel_reason: string | null
  created_at: Date
  ended_at: Date | null
}

export interface StepRow {
  run_id: string
  step_index: number
  step_id: string
  ai_name: string
  draft_args: JsonObject
  depends_on: number[]
  reason: string | null
  status: StepStatus
  args: JsonObject | null
  feedback_at: Date | null
  late_by_ms: number | null
  settled_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  result: RunResult | null
}

export interface RunEventRow {
  run_id: string
  seq: number
  type: RunEventType
  step_index: number | null
  data: JsonObject
  created_at: Date
}

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    sessionKey: row.session_key,
    botUuid: row.bot_uuid,
    origin: row.origin,
    status: row.status,
    language: row.language,
    timezone: row.timezone,
    overlays: row.overlays,
    cancelReason: row.cancel_reason,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

export function toStep(row: StepRow): RunStep {
  return {
    runId: row.run_id,
    stepIndex: row.step_index,
    stepId: row.step_id,
    aiName: row.ai_name,
    draftArgs: row.draft_args,
    dependsOn: row.depends_on,
    reason: row.reason,
    status: row.status,
    args: row.args,
    feedbackAt: row.feedback_at,
    lateByMs: row.late_by_ms,
    settledAt: row.settled_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    result: row.result,
  }
}

/** `data` holds what the type adds: arguments, message, result. */
export function toRunEvent(row: RunEventRow): RunEvent {
  const { stepId = null, aiName = null, ...rest } = row.data as { stepId?: string | null; aiName?: string | null }
  return {
    type: row.type,
    run_id: row.run_id,
    seq: row.seq,
    ts: row.created_at.getTime(),
    stepIndex: row.step_index,
    stepId,
    aiName,
    ...rest,
  }
}
