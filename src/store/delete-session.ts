import type { Pool } from 'pg'
import type { Automation } from '../contracts/automation'
import { runWorkflowId } from '../contracts/run'
import { toAutomation } from './automations/rows'
import type { AutomationRow } from './automations/rows'
import { tellSchedule } from './automations/tell-schedule'
import type { Queryable } from './database'
import { inTransaction } from './database'
import type { RunRow } from './runs/rows'
import { insertRunEvent } from './runs/write'
import { cancelPendingRows } from './scheduled-messages/cancel'
import { lockSession } from './session-writes'

export type DeleteOutcome = { deleted: true } | { deleted: false; automations: Automation[] }

/**
 * Deletes a conversation with all that was said and promised in it, in one transaction. Automations that `blocks` names stop it
 * unless they are to go too; what is due later finds the session gone and ends.
 */
export function deleteSession(
  pool: Pool,
  sessionKey: string,
  how: { deleteAutomations: boolean; blocks(automation: Automation): boolean },
): Promise<DeleteOutcome> {
  return inTransaction(pool, async (db): Promise<DeleteOutcome> => {
    await lockSession(db, sessionKey)
    const { rows } = await db.query<AutomationRow>(
      'SELECT * FROM automations WHERE session_key = $1 AND deleted_at IS NULL ORDER BY created_at FOR UPDATE',
      [sessionKey],
    )
    const blocking = rows.map(toAutomation).filter((each) => each.state !== 'ended' && how.blocks(each))
    if (blocking.length > 0 && !how.deleteAutomations) return { deleted: false, automations: blocking }
    await deleteAutomations(db, sessionKey)
    await cancelPendingRows(db, { sessionKey, reason: 'session deleted' })
    await cancelRuns(db, sessionKey)
    for (const table of ['message_history', 'session_events', 'tool_calls', 'turns', 'session_memories']) {
      await db.query(`DELETE FROM ${table} WHERE session_key = $1`, [sessionKey])
    }
    await db.query(
      'UPDATE sessions SET deleted_at = now(), turn_fence = turn_fence + 1, title = NULL WHERE session_key = $1',
      [sessionKey],
    )
    return { deleted: true }
  })
}

async function deleteAutomations(db: Queryable, sessionKey: string): Promise<void> {
  const { rows: gone } = await db.query<{ id: string }>('DELETE FROM automations WHERE session_key = $1 RETURNING id', [
    sessionKey,
  ])
  for (const { id } of gone) await tellSchedule(db, id)
  const { rows: open } = await db.query<{ workflow_id: string | null; state: string }>(
    'DELETE FROM automation_runs WHERE session_key = $1 RETURNING workflow_id, state',
    [sessionKey],
  )
  const workflows = open.flatMap(({ workflow_id: id, state }) =>
    id && ['queued', 'running'].includes(state) ? [id] : [],
  )
  await cancelWorkflows(db, workflows)
}

/** A plugin run without its session tells nobody any more. */
async function cancelRuns(db: Queryable, sessionKey: string): Promise<void> {
  const { rows } = await db.query<RunRow>(
    `UPDATE runs SET status = 'cancelled', cancel_reason = 'session deleted', ended_at = now(), session_key = NULL
     WHERE session_key = $1 AND status = 'running' RETURNING *`,
    [sessionKey],
  )
  for (const run of rows) await insertRunEvent(db, run, { type: 'completed', data: { status: 'cancelled' } })
  await cancelWorkflows(
    db,
    rows.map(({ id }) => runWorkflowId(id)),
  )
}

async function cancelWorkflows(db: Queryable, workflowIds: string[]): Promise<void> {
  await db.query(
    `INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT 'cancel_workflow', ref, now() FROM unnest($1::text[]) AS ref`,
    [workflowIds],
  )
}
