import type { Pool } from 'pg'
import type { RunResult } from '../../contracts/plugin'
import { runMessageRef, runWorkflowId } from '../../contracts/run'
import type { RunStatus } from '../../contracts/run'
import type { JsonObject, Language } from '../../contracts/words'
import type { NewMessage } from '../../contracts/message'
import type { NewEvent, TurnFence } from '../session-writes'
import type { RunRow, StepRow } from './rows'
import { insertRunEvent, publishRunNews, stepPromiseEvent, withRun } from './write'
import type { LockedRun } from './write'

/** The one interim message of a step. False when there is nothing left to wait for, or it was told before. */
export function reportProgress(
  pool: Pool,
  runId: string,
  stepIndex: number,
  text: string,
): Promise<boolean | undefined> {
  return withRun(pool, runId, async (locked) => {
    const { run, steps } = locked
    const step = steps[stepIndex]
    if (!step || run.status !== 'running' || step.status === 'reported') return false
    const data = { status: 'in_progress', message: text }
    const told = await insertRunEvent(locked.db, run, { type: 'tool_choice', step, data })
    if (!told) return false
    const message = feedbackMessage(run, step, text, 'progress')
    await publishRunNews(locked, { events: [told, stepPromiseEvent(step, 'overdue')], message })
    return true
  })
}

/** The one final word of a step. Answers whether it succeeded; undefined when there is no such run. */
export function reportResult(
  pool: Pool,
  runId: string,
  stepIndex: number,
  text: string | null,
): Promise<boolean | undefined> {
  return withRun(pool, runId, async (locked) => {
    const { run, steps } = locked
    const step = steps[stepIndex]
    if (!step?.result) return false
    if (run.status === 'running' && step.status !== 'reported') await tellResult(locked, step, step.result, text)
    return step.result.success
  })
}

async function tellResult(locked: LockedRun, step: StepRow, result: RunResult, text: string | null): Promise<void> {
  const { db, run } = locked
  const { rows } = await db.query<StepRow>(
    `UPDATE run_steps SET status = 'reported', finished_at = coalesce(finished_at, now()),
       late_by_ms = CASE WHEN feedback_at IS NULL THEN NULL
         ELSE least(2147483647, greatest(0, round(1000 * extract(epoch FROM clock_timestamp() - feedback_at)))) END
     WHERE run_id = $1 AND step_index = $2 RETURNING *`,
    [run.id, step.step_index],
  )
  const reported = rows[0]!
  const told = await insertRunEvent(db, run, { type: 'tool_result', step, data: resultData(reported, result) })
  const message = text === null ? undefined : feedbackMessage(run, step, text, 'result')
  await publishRunNews(locked, {
    events: [told, stepPromiseEvent(reported, result.success ? 'sent' : 'failed')],
    message,
  })
}

function resultData(step: StepRow, result: RunResult): JsonObject {
  const began = step.started_at ?? step.settled_at
  const elapsedMs = began && step.finished_at ? step.finished_at.getTime() - began.getTime() : 0
  const { success, code, data } = result
  return { result: { success, code, data, error: result.error ? { ...result.error } : null }, elapsedMs }
}

/** A step whose dependency failed is not run: its final word says why. */
export function skipStep(pool: Pool, runId: string, stepIndex: number, failed: number[]): Promise<boolean | undefined> {
  const message = `skipped: step ${failed.join(', ')} did not succeed`
  const result: RunResult = { success: false, code: 'ERR', data: null, error: { message } }
  return withRun(pool, runId, async (locked) => {
    const step = locked.steps[stepIndex]
    if (!step || locked.run.status !== 'running' || step.status !== 'waiting') return false
    await locked.db.query(
      `UPDATE run_steps SET status = 'skipped', result = $3, finished_at = now() WHERE run_id = $1 AND step_index = $2`,
      [runId, stepIndex, JSON.stringify(result)],
    )
    const data = { ...resultData(step, result), skipped: true, dependsOn: failed }
    const told = await insertRunEvent(locked.db, locked.run, { type: 'tool_result', step, data })
    await publishRunNews(locked, { events: [told] })
    return true
  })
}

/** The run is over: `completed` is told once. */
export function completeRun(pool: Pool, runId: string): Promise<RunStatus | undefined> {
  return withRun(pool, runId, async (locked) => {
    const { run, steps } = locked
    if (run.status !== 'running') return run.status
    const status = steps.every((step) => step.result?.success) ? 'succeeded' : 'failed'
    await endRun(locked, status, null)
    return status
  })
}

/**
 * Cancels a run that is still running: whatever has not reported ends in one `CANCELLED`, now; the handler's abort and the
 * workflow's end follow. Answers whether this call won.
 */
export async function cancelRun(
  pool: Pool,
  runId: string,
  by: { reason: string; workflowKnows?: boolean; turn?: TurnFence },
): Promise<boolean> {
  const won = await withRun(
    pool,
    runId,
    async (locked) => {
      if (locked.run.status !== 'running') return false
      const events = await tellCancelled(locked)
      await endRun(locked, 'cancelled', by.reason, events)
      if (!by.workflowKnows) {
        const ref = runWorkflowId(runId)
        await locked.db.query(
          `INSERT INTO outbox (kind, ref_id, next_attempt_at) VALUES ('cancel_workflow', $1, now())`,
          [ref],
        )
      }
      return true
    },
    by.turn,
  )
  return won ?? false
}

async function tellCancelled({ db, run, steps }: LockedRun): Promise<(NewEvent | undefined)[]> {
  const result: RunResult = { success: false, code: 'CANCELLED', data: null, error: { message: 'cancelled' } }
  const events: (NewEvent | undefined)[] = []
  for (const step of steps.filter(({ status }) => status !== 'reported' && status !== 'skipped')) {
    const { rows } = await db.query<StepRow>(
      `UPDATE run_steps SET status = 'reported', result = $3, finished_at = coalesce(finished_at, now())
       WHERE run_id = $1 AND step_index = $2 RETURNING *`,
      [run.id, step.step_index, JSON.stringify(result)],
    )
    events.push(await insertRunEvent(db, run, { type: 'tool_result', step, data: resultData(rows[0]!, result) }))
    events.push(stepPromiseEvent(rows[0]!, 'cancelled'))
  }
  return events
}

async function endRun(
  locked: LockedRun,
  status: RunStatus,
  reason: string | null,
  before: (NewEvent | undefined)[] = [],
) {
  const { db, run } = locked
  await db.query('UPDATE runs SET status = $2, cancel_reason = $3, ended_at = now() WHERE id = $1', [
    run.id,
    status,
    reason,
  ])
  const completed = await insertRunEvent(db, run, { type: 'completed', data: { status } })
  const message = status === 'cancelled' && run.origin !== 'call' ? cancelMessage(run) : undefined
  await publishRunNews(locked, { events: [...before, completed], message })
}

const CANCELLED_TEXT: Record<Language, string> = { zh: '好的，这项任务已取消。', en: 'This has been cancelled.' }

function cancelMessage(run: RunRow): NewMessage {
  return {
    ...fromBot(run),
    content: CANCELLED_TEXT[run.language],
    sourceRef: `run:${run.id}/cancelled`,
    metadata: { run_id: run.id },
  }
}

function feedbackMessage(
  run: RunRow,
  step: StepRow,
  text: string,
  what: 'progress' | 'result',
): NewMessage | undefined {
  if (run.origin === 'call') return undefined
  const metadata = { run_id: run.id, step_index: step.step_index, ai_name: step.ai_name, feedback: what }
  return { ...fromBot(run), content: text, sourceRef: runMessageRef(run.id, step.step_index, what), metadata }
}

const fromBot = (run: RunRow) => ({
  role: 'assistant' as const,
  senderId: run.bot_uuid,
  sourceKind: 'plugin_feedback' as const,
})
