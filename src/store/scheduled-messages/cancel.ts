import type { Pool } from 'pg'
import { scheduledMessageWorkflowId } from '../../contracts/scheduled-message'
import type { CancelReason, ScheduledMessage, ScheduledSourceKind } from '../../contracts/scheduled-message'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import type { TurnFence } from '../session-writes'
import { promiseEvent, toScheduledMessage } from './rows'
import type { ScheduledMessageRow } from './rows'

export interface CancelRequest {
  sessionKey: string
  reason: CancelReason
  toolCallId?: string | null
  /** Only this one; else every pending message of the session. */
  id?: string
  /** Only those a person asked for, or only pushes that wait; else both. */
  sourceKind?: ScheduledSourceKind
  turn?: TurnFence
  /** The workflow asks or is closed already: nobody needs to be told. */
  workflowKnows?: boolean
}

/** The conditional update that decides every race: who finds the row pending and unclaimed has won. */
export async function cancelPendingRows(db: Queryable, request: CancelRequest): Promise<ScheduledMessageRow[]> {
  const { rows } = await db.query<ScheduledMessageRow>(
    `UPDATE scheduled_messages
     SET status = 'cancelled', cancel_reason = $3, cancelled_by_tool_call_id = $4, updated_at_ts = now()
     WHERE session_id = $1 AND ($2::uuid IS NULL OR id = $2) AND status = 'pending'
       AND (claimed_until IS NULL OR claimed_until < now()) AND ($5::text IS NULL OR source_kind = $5)
     RETURNING *`,
    [request.sessionKey, request.id ?? null, request.reason, request.toolCallId ?? null, request.sourceKind ?? null],
  )
  if (rows.length > 0 && !request.workflowKnows) {
    await db.query(
      `INSERT INTO outbox (kind, ref_id, next_attempt_at)
       SELECT 'cancel_workflow', ref, now() FROM unnest($1::text[]) AS ref`,
      [rows.map(({ id }) => scheduledMessageWorkflowId(id))],
    )
  }
  return rows
}

/** Cancels in one transaction and answers what was really cancelled. */
export function cancelScheduledMessages(pool: Pool, request: CancelRequest): Promise<ScheduledMessage[]> {
  return inTransaction(pool, async (db) => {
    await lockSession(db, request.sessionKey, request.turn)
    const rows = await cancelPendingRows(db, request)
    if (rows.length > 0) await appendEvents(db, request.sessionKey, rows.map(promiseEvent))
    return rows.map(toScheduledMessage)
  })
}
