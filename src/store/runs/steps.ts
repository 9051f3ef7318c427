import type { Pool } from 'pg'
import type { ResultCode, RunResult } from '../../contracts/plugin'
import type { JsonObject } from '../../contracts/words'
import type { Queryable } from '../database'
import { storableJson } from '../storable'
import type { StepRow } from './rows'
import { insertRunEvent, publishRunNews, stepPromiseEvent, withRun } from './write'

/** Settles a step: `args` is told once; an early refusal is its result. False when the run is over. */
export function settleStep(
  pool: Pool,
  runId: string,
  stepIndex: number,
  settled: { args: JsonObject; feedbackAt: Date | null; refusal?: RunResult },
): Promise<boolean | undefined> {
  return withRun(pool, runId, async (locked) => {
    const { db, run, steps } = locked
    const before = steps[stepIndex]
    if (run.status !== 'running' || !before) return false
    if (before.settled_at) return true
    const { rows } = await db.query<StepRow>(
      `UPDATE run_steps SET status = 'running', args = $3, feedback_at = $4, settled_at = now()
       WHERE run_id = $1 AND step_index = $2 RETURNING *`,
      [runId, stepIndex, storableJson(settled.args), settled.feedbackAt],
    )
    const step = rows[0]!
    if (settled.refusal) await storeResult(db, step, settled.refusal)
    const told = await insertRunEvent(db, run, { type: 'args', step, data: { args: settled.args } })
    await publishRunNews(locked, { events: [told, stepPromiseEvent(step, 'pending')] })
    return true
  })
}

/** What the caller of a plugin must know before it calls: go, or the result there is. */
export type CallStart = { state: 'go'; args: JsonObject } | { state: 'decided'; code: ResultCode }

/**
 * Marks the handler as called. Found marked without a result, an earlier call was interrupted: only an idempotent plugin is
 * called again.
 */
export async function beginStepCall(
  pool: Pool,
  runId: string,
  stepIndex: number,
  idempotent: boolean,
): Promise<CallStart> {
  const start = await withRun(pool, runId, async ({ db, run, steps }): Promise<CallStart> => {
    const step = steps[stepIndex]
    if (!step || run.status !== 'running') return { state: 'decided', code: 'CANCELLED' }
    if (step.result) return { state: 'decided', code: step.result.code }
    if (step.started_at && !idempotent) {
      await storeResult(db, step, interrupted())
      return { state: 'decided', code: 'INTERRUPTED' }
    }
    await db.query(
      'UPDATE run_steps SET started_at = coalesce(started_at, now()) WHERE run_id = $1 AND step_index = $2',
      [runId, stepIndex],
    )
    return { state: 'go', args: step.args ?? {} }
  })
  return start ?? { state: 'decided', code: 'CANCELLED' }
}

/** Keeps what came out, once; a result that is there stays. */
export async function finishStepCall(
  pool: Pool,
  runId: string,
  stepIndex: number,
  result: RunResult,
): Promise<ResultCode> {
  const code = await withRun(pool, runId, async ({ db, run, steps }) => {
    const step = steps[stepIndex]
    if (!step || run.status !== 'running') return 'CANCELLED' as const
    if (step.result) return step.result.code
    await storeResult(db, step, result)
    return result.code
  })
  return code ?? 'CANCELLED'
}

async function storeResult(db: Queryable, step: StepRow, result: RunResult): Promise<void> {
  await db.query(
    `UPDATE run_steps SET result = $3, status = 'finished', finished_at = now() WHERE run_id = $1 AND step_index = $2`,
    [step.run_id, step.step_index, storableJson(result)],
  )
}

function interrupted(): RunResult {
  const message = 'the call was interrupted and is not known to be safe to repeat'
  return { success: false, code: 'INTERRUPTED', data: null, error: { message } }
}

/** Notes the use of a plugin that wants a pause; answers how long the pause still lasts, 0 for go. */
export async function takeCooldown(pool: Pool, aiName: string, botUuid: string, cooldownMs: number): Promise<number> {
  const { rowCount } = await pool.query(
    `INSERT INTO plugin_uses (ai_name, bot_uuid, started_at) VALUES ($1, $2, now())
     ON CONFLICT (ai_name, bot_uuid) DO UPDATE SET started_at = now()
     WHERE plugin_uses.started_at <= now() - $3 * interval '1 millisecond'`,
    [aiName, botUuid, cooldownMs],
  )
  if (rowCount === 1) return 0
  const { rows } = await pool.query<{ remain: number }>(
    `SELECT greatest(1, ceil($3 - 1000 * extract(epoch FROM now() - started_at)))::int AS remain
     FROM plugin_uses WHERE ai_name = $1 AND bot_uuid = $2`,
    [aiName, botUuid, cooldownMs],
  )
  return rows[0]?.remain ?? 0
}
