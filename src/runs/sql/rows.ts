import type { RunEvent, RunEventType } from '../contract'
import type { JsonObject } from '../../contracts/words'

/** The columns of a `Run`. */
export const RUN = `id, session_key, bot_uuid, origin, status, language, timezone, overlays, cancel_reason, created_at,
  ended_at`

/** The columns of a `RunStep`. */
export const STEP = `run_id, step_index, step_id, ai_name, draft_args, depends_on, reason, status, args, asked_at,
  feedback_at, late_by_ms, settled_at, started_at, finished_at, result, progress_text, result_text`

export interface RunEventRow {
  runId: string
  seq: number
  type: RunEventType
  stepIndex: number | null
  data: JsonObject
  createdAt: Date
}

/** `data` holds what the type adds: arguments, message, result. */
export function toRunEvent(row: RunEventRow): RunEvent {
  const { stepId = null, aiName = null, ...rest } = row.data as { stepId?: string | null; aiName?: string | null }
  return {
    type: row.type,
    run_id: row.runId,
    seq: row.seq,
    ts: row.createdAt.getTime(),
    stepIndex: row.stepIndex,
    stepId,
    aiName,
    ...rest,
  }
}
