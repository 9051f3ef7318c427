import type { Pool } from 'pg'
import type { CancelReason } from '../contract'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents } from '../../engine/session-writes'
import { storableText } from '../../engine/storable'
import { lockMessage } from './deliver'
import { CHANGED, promiseEvent } from './rows'
import type { ChangedRow } from './rows'

export type PromiseEnd = { status: 'failed'; error: string } | { status: 'cancelled'; reason: CancelReason }

/** Ends a pending message that will not be sent. Its session must be locked. */
export async function endPromise(db: Queryable, id: string, end: PromiseEnd): Promise<void> {
  const [error, reason] = end.status === 'failed' ? [end.error, null] : [null, end.reason]
  const { rows } = await db.query<ChangedRow>(
    `UPDATE scheduled_messages SET status = $2, last_error = coalesce($3, last_error), cancel_reason = $4,
       updated_at_ts = now() WHERE id = $1 AND status = 'pending' RETURNING ${CHANGED}`,
    [id, end.status, error, reason],
  )
  if (rows[0]) await appendEvents(db, rows[0].sessionId, [promiseEvent(rows[0])])
}

/** A try has failed and another follows: visible in the row. Its session must be locked. */
export async function notePromiseError(db: Queryable, id: string, error: string): Promise<void> {
  const { rows } = await db.query<ChangedRow>(
    `UPDATE scheduled_messages SET last_error = $2, updated_at_ts = now()
     WHERE id = $1 AND status = 'pending' RETURNING ${CHANGED}`,
    [id, error],
  )
  if (rows[0]) await appendEvents(db, rows[0].sessionId, [promiseEvent(rows[0])])
}

/** The workflow gave up or was broken: the row says so. Changes nothing that has ended or was handed over; answers whether it did. */
export function failScheduledMessage(pool: Pool, id: string, error: string): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const found = await lockMessage(db, id)
    if (found?.row.status !== 'pending' || found.handedOver) return false
    await endPromise(db, id, { status: 'failed', error: storableText(error).slice(0, 1_000) })
    return true
  })
}
