import type { Pool } from 'pg'
import { scheduledMessageWorkflowId } from '../contract'
import type { CancelReason, ScheduledMessage, ScheduledSourceKind } from '../contract'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { cancelWorkflows } from '../../engine/outbox-store'
import { withdrawDeliveries } from '../../engine/outgoing-line'
import { isInCall } from '../../engine/delivery-attempts'
import { appendEvents, lockSession, lockSessionRow } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { CHANGED, promiseEvent, toChangedMessage } from './rows'
import type { ChangedRow } from './rows'

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
  /** Although the platform is being called, because nobody is there any more to hear what comes of it. */
  evenInCall?: boolean
}

/**
 * The conditional update that decides every race: who finds the row pending and no call under way has won; one that was
 * sent and waits to be said again is said no more. What waits in the outgoing line leaves it. The session must be locked.
 */
export async function cancelPendingRows(db: Queryable, request: CancelRequest): Promise<ChangedRow[]> {
  const { rows } = await db.query<ChangedRow>(
    `UPDATE scheduled_messages
     SET status = CASE status WHEN 'pending' THEN 'cancelled' ELSE status END, cancel_reason = $3,
       cancelled_by_tool_call_id = $4, updated_at_ts = now(), next_repeat_at = NULL,
       follow_up = CASE WHEN next_repeat_at IS NULL THEN follow_up ELSE 'stopped' END
     WHERE session_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($5::text IS NULL OR source_kind = $5)
       AND (next_repeat_at IS NOT NULL OR (status = 'pending'
         AND ($6 OR NOT ${isInCall("'scheduled_message:' || scheduled_messages.id")})))
     RETURNING ${CHANGED}`,
    [
      request.sessionKey,
      request.id ?? null,
      request.reason,
      request.toolCallId ?? null,
      request.sourceKind ?? null,
      request.evenInCall ?? false,
    ],
  )
  await withdrawDeliveries(
    db,
    request.sessionKey,
    rows.map(({ id }) => id),
  )
  if (rows.length > 0 && !request.workflowKnows) {
    await cancelWorkflows(
      db,
      rows.map(({ id }) => scheduledMessageWorkflowId(id)),
    )
  }
  return rows
}

/** Nobody is there any more to hear what is due in a session that is deleted. */
export async function cancelWithSession(db: Queryable, sessionKey: string): Promise<void> {
  await cancelPendingRows(db, { sessionKey, reason: 'session deleted', evenInCall: true })
}

/** Cancels in one transaction and answers what was really cancelled. In a session that is deleted nobody is told. */
export function cancelScheduledMessages(pool: Pool, request: CancelRequest): Promise<ScheduledMessage[]> {
  return inTransaction(pool, async (db) => {
    if (request.turn) await lockSession(db, request.sessionKey, request.turn)
    else await lockSessionRow(db, request.sessionKey)
    const rows = await cancelPendingRows(db, request)
    if (rows.length > 0) await appendEvents(db, request.sessionKey, rows.map(promiseEvent))
    return rows.map(toChangedMessage)
  })
}
