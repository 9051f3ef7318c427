import type { Pool } from 'pg'
import type { NewMessage } from '../../conversation/message'
import { failedResult } from '../plugins/contract'
import { CANCELLED_BY_OPERATOR, runWorkflowId, TERMINATED_BY_OPERATOR } from '../contract'
import type { Run, RunStatus, RunStep } from '../contract'
import { describeCancelled } from '../texts'
import { cancelWorkflows } from '../../engine/outbox-store'
import type { NewEvent, TurnFence } from '../../engine/session-writes'
import { STEP } from './rows'
import { fromBot, isTold, resultData } from './told'
import { insertRunEvent, publishRunNews, stepPromiseEvent, withRun } from './write'
import type { LockedRun } from './write'

/** With the last word of its last step the run is over: `completed` is told once. */
export async function endIfOver(locked: LockedRun): Promise<void> {
  if (locked.steps.every(isTold)) await endRun(locked, outcomeOf(locked), null)
}

const outcomeOf = ({ steps }: LockedRun): RunStatus =>
  steps.every((step) => step.result?.success) ? 'succeeded' : 'failed'

/** Ends a run that has nothing left to tell, if it has not ended by itself. */
export function completeRun(pool: Pool, runId: string): Promise<RunStatus | undefined> {
  return withRun(pool, runId, async (locked) => {
    const { run } = locked
    if (run.status !== 'running') return run.status
    const status = outcomeOf(locked)
    await endRun(locked, status, null)
    return status
  })
}

export interface CancelBy {
  reason: string
  /** The workflow asks itself, or is gone: it need not be told. */
  workflowKnows?: boolean
  turn?: TurnFence
}

/**
 * Cancels a run that has something left to tell: that ends in one `CANCELLED`, now; the handler's abort and the workflow's end
 * follow. Answers whether this call won; once all is told it comes too late.
 */
export async function cancelRun(pool: Pool, runId: string, by: CancelBy): Promise<boolean> {
  const won = await withRun(
    pool,
    runId,
    async (locked) => {
      if (locked.run.status !== 'running' || locked.steps.every(isTold)) return false
      const events = await tellCancelled(locked)
      await endRun(locked, 'cancelled', by, events)
      if (!by.workflowKnows) await cancelWorkflows(locked.db, [runWorkflowId(runId)])
      return true
    },
    by.turn,
  )
  return won ?? false
}

async function tellCancelled({ db, run, steps }: LockedRun): Promise<(NewEvent | undefined)[]> {
  const result = failedResult('CANCELLED', 'cancelled')
  const events: (NewEvent | undefined)[] = []
  for (const step of steps.filter((each) => !isTold(each))) {
    const { rows } = await db.query<RunStep>(
      `UPDATE run_steps SET status = 'reported', result = $3, finished_at = coalesce(finished_at, now())
       WHERE run_id = $1 AND step_index = $2 RETURNING ${STEP}`,
      [run.id, step.stepIndex, JSON.stringify(result)],
    )
    events.push(await insertRunEvent(db, run, { type: 'tool_result', step, data: resultData(rows[0]!, result) }))
    events.push(stepPromiseEvent(rows[0]!, 'cancelled'))
  }
  return events
}

async function endRun(
  locked: LockedRun,
  status: RunStatus,
  by: CancelBy | null,
  before: (NewEvent | undefined)[] = [],
): Promise<void> {
  const { db, run } = locked
  await db.query('UPDATE runs SET status = $2, cancel_reason = $3, ended_at = now() WHERE id = $1', [
    run.id,
    status,
    by?.reason ?? null,
  ])
  run.status = status
  const completed = await insertRunEvent(db, run, { type: 'completed', data: { status } })
  const message = by && run.origin !== 'call' ? cancelMessage(run, by) : undefined
  await publishRunNews(locked, { events: [...before, completed], message })
}

function cancelMessage(run: Run, by: CancelBy): NewMessage {
  return {
    ...fromBot(run),
    content: describeCancelled(whoCancelled(by), run.language),
    sourceRef: `run:${run.id}/cancelled`,
    metadata: { run_id: run.id },
  }
}

/** A workflow that is not to be told has ended by itself, unless an operator ended it. */
function whoCancelled({ reason, workflowKnows }: CancelBy): Parameters<typeof describeCancelled>[0] {
  if (reason === CANCELLED_BY_OPERATOR || reason === TERMINATED_BY_OPERATOR) return 'operator'
  return workflowKnows ? 'fault' : 'person'
}
