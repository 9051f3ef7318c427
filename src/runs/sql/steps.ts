import type { Pool } from 'pg'
import { failedResult } from '../plugins/contract'
import type { ResultCode, RunResult } from '../plugins/contract'
import type { RunStep } from '../contract'
import type { JsonObject } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { storableJson, storableText } from '../../engine/storable'
import { STEP } from './rows'
import { insertRunEvent, publishRunNews, stepPromiseEvent, withRun } from './write'

export interface Settled {
  args: JsonObject
  askedAt: Date | null
  feedbackAt: Date | null
  refusal?: RunResult
}

/** Settles a step: `args` is told once; an early refusal is its result. False when the run is over. */
export function settleStep(
  pool: Pool,
  runId: string,
  stepIndex: number,
  settled: Settled,
): Promise<boolean | undefined> {
  return withRun(pool, runId, async (locked) => {
    const { db, run, steps } = locked
    const before = steps[stepIndex]
    if (run.status !== 'running' || !before) return false
    if (before.settledAt) return true
    const { rows } = await db.query<RunStep>(
      `UPDATE run_steps SET status = 'running', args = $3, asked_at = $4, feedback_at = $5, settled_at = now()
       WHERE run_id = $1 AND step_index = $2 RETURNING ${STEP}`,
      [runId, stepIndex, storableJson(settled.args), settled.askedAt, settled.feedbackAt],
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

/** What is known of a call before it is made. One that was interrupted is made again only if the plugin is idempotent. */
export function decideCall(pool: Pool, runId: string, stepIndex: number, idempotent: boolean): Promise<CallStart> {
  return beginCall(pool, runId, stepIndex, { idempotent, starts: false })
}

/** The same right before the handler starts, which is marked: found marked without a result, a call was interrupted. */
export function startCall(pool: Pool, runId: string, stepIndex: number, idempotent: boolean): Promise<CallStart> {
  return beginCall(pool, runId, stepIndex, { idempotent, starts: true })
}

async function beginCall(
  pool: Pool,
  runId: string,
  stepIndex: number,
  call: { idempotent: boolean; starts: boolean },
): Promise<CallStart> {
  const start = await withRun(pool, runId, async ({ db, run, steps }): Promise<CallStart> => {
    const step = steps[stepIndex]
    if (!step || run.status !== 'running') return { state: 'decided', code: 'CANCELLED' }
    if (step.result) return { state: 'decided', code: step.result.code }
    if (step.startedAt && !call.idempotent) {
      await storeResult(db, step, interrupted())
      return { state: 'decided', code: 'INTERRUPTED' }
    }
    if (call.starts) {
      await db.query(
        'UPDATE run_steps SET started_at = coalesce(started_at, now()) WHERE run_id = $1 AND step_index = $2',
        [runId, stepIndex],
      )
    }
    return { state: 'go', args: step.args ?? {} }
  })
  return start ?? { state: 'decided', code: 'CANCELLED' }
}

/** Keeps what came out, once; a result that is there stays. Undefined when the run is over. */
export function finishCall(
  pool: Pool,
  runId: string,
  stepIndex: number,
  result: RunResult,
): Promise<RunStep | undefined> {
  return withRun(pool, runId, async ({ db, run, steps }) => {
    const step = steps[stepIndex]
    if (!step || run.status !== 'running') return undefined
    return step.result ? step : storeResult(db, step, result)
  })
}

async function storeResult(db: Queryable, step: RunStep, result: RunResult): Promise<RunStep> {
  const { rows } = await db.query<RunStep>(
    `UPDATE run_steps SET result = $3, status = 'finished', finished_at = now() WHERE run_id = $1 AND step_index = $2
     RETURNING ${STEP}`,
    [step.runId, step.stepIndex, storableJson(result)],
  )
  return rows[0]!
}

const interrupted = () => failedResult('INTERRUPTED', 'the call was interrupted and is not known to be safe to repeat')

/** Words that were prepared count as long as the step has not told them. */
export async function keepWords(
  pool: Pool,
  runId: string,
  stepIndex: number,
  what: 'progress' | 'result',
  text: string,
): Promise<void> {
  const column = what === 'progress' ? 'progress_text' : 'result_text'
  await pool.query(
    `UPDATE run_steps SET ${column} = $3 WHERE run_id = $1 AND step_index = $2 AND status IN ('running', 'finished')`,
    [runId, stepIndex, storableText(text)],
  )
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
