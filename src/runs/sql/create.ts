import type { Pool } from 'pg'
import type { PlanStep, Run, RunOrigin } from '../contract'
import { KIND_RUN } from '../../contracts/temporal'
import type { Language } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { startSql } from '../../engine/outbox-store'
import { lockSession } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { storableJson, storableText } from '../../engine/storable'
import { RUN } from './rows'

export interface NewRun {
  id: string
  sessionKey: string | null
  botUuid: string
  origin: RunOrigin
  language: Language
  timezone: string
  overlays: Record<string, string>
  steps: PlanStep[]
  toolCallId: string | null
  turn?: TurnFence
}

/** Run, steps and outbox entry in one transaction; Temporal is told afterwards. */
export function createRun(pool: Pool, input: NewRun): Promise<Run> {
  return inTransaction(pool, async (db) => {
    if (input.sessionKey !== null) await lockSession(db, input.sessionKey, input.turn)
    const { rows } = await db.query<Run>(
      `INSERT INTO runs (id, session_key, bot_uuid, origin, status, language, timezone, overlays, turn_id, tool_call_id)
       VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8, $9) RETURNING ${RUN}`,
      [
        input.id,
        input.sessionKey,
        input.botUuid,
        input.origin,
        input.language,
        input.timezone,
        storableJson(input.overlays),
        input.turn?.turnId ?? null,
        input.toolCallId,
      ],
    )
    for (const [index, step] of input.steps.entries()) await insertStep(db, input.id, index, step)
    await db.query(startSql(KIND_RUN, 'runs WHERE id = $1'), [input.id])
    return rows[0]!
  })
}

async function insertStep(db: Queryable, runId: string, index: number, step: PlanStep): Promise<void> {
  await db.query(
    `INSERT INTO run_steps (run_id, step_index, step_id, ai_name, draft_args, depends_on, reason, asked_at, feedback_at,
       result)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      runId,
      index,
      storableText(step.stepId),
      step.aiName,
      storableJson(step.draftArgs),
      step.dependsOn,
      step.reason === null ? null : storableText(step.reason),
      step.askedAt,
      step.feedbackAt,
      step.result === null ? null : storableJson(step.result),
    ],
  )
}
