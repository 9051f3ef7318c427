import type { Pool } from 'pg'
import { scheduledMessageRef } from '../../contracts/scheduled-message'
import type { DueOutcome } from '../../contracts/scheduled-message'
import type { Session } from '../../contracts/session'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../session-writes'
import { promiseEvent } from './rows'
import type { ScheduledMessageRow } from './rows'

export interface DueCheck {
  row: ScheduledMessageRow
  waitMs: number
}

/** Locks the session, then the message. Undefined when either is gone. */
export async function lockMessage(db: Queryable, id: string): Promise<(DueCheck & { session: Session }) | undefined> {
  const found = await db.query<{ session_id: string }>('SELECT session_id FROM scheduled_messages WHERE id = $1', [id])
  const sessionKey = found.rows[0]?.session_id
  if (sessionKey === undefined) return undefined
  const session = await lockSession(db, sessionKey)
  const { rows } = await db.query<ScheduledMessageRow & { wait_ms: number }>(
    `SELECT *, ceil(1000 * extract(epoch FROM send_at_ts - now()))::float8 AS wait_ms
     FROM scheduled_messages WHERE id = $1 FOR UPDATE`,
    [id],
  )
  return rows[0] ? { row: rows[0], waitMs: rows[0].wait_ms, session } : undefined
}

/** The five checks of seed 0 under the lock: pending, private, due, not sent, not cancelled. Undefined means go. */
export function reasonNotToSend({ row, waitMs }: DueCheck): DueOutcome | undefined {
  if (row.status === 'sent' || row.sent_message_id !== null) return { state: 'sent' }
  if (row.status === 'cancelled') return { state: 'cancelled' }
  if (row.status !== 'pending' || row.chat_type !== 'private') return { state: 'failed' }
  if (waitMs > 0) return { state: 'early', waitMs }
  return undefined
}

/** History row, `sent` state and events, in the transaction that decided to send. */
export async function storeSent(db: Queryable, session: Session, row: ScheduledMessageRow): Promise<number> {
  const lateness = await db.query<{ late_by_ms: number }>(
    `SELECT least(2147483647, round(1000 * extract(epoch FROM clock_timestamp() - $1::timestamptz)))::int AS late_by_ms`,
    [row.send_at_ts],
  )
  const lateByMs = lateness.rows[0]!.late_by_ms
  const message = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: row.message_text,
    sourceKind: 'scheduled_send',
    sourceRef: scheduledMessageRef(row.id),
    metadata: { scheduled_message_id: row.id, late_by_ms: lateByMs },
    deliver: false,
  })
  const { rows } = await db.query<ScheduledMessageRow>(
    `UPDATE scheduled_messages SET status = 'sent', sent_message_id = $2, sent_at_ts = clock_timestamp(), late_by_ms = $3,
       claimed_until = NULL, updated_at_ts = now() WHERE id = $1 RETURNING *`,
    [row.id, message.id, lateByMs],
  )
  await appendEvents(db, session.sessionKey, [messageEvent(message), promiseEvent(rows[0]!)])
  return lateByMs
}

/** Sends one web message: storing it is sending it, and live watchers are woken by the commit. */
export function deliverOnWeb(pool: Pool, id: string): Promise<DueOutcome & { lateByMs?: number }> {
  return inTransaction(pool, async (db) => {
    const due = await lockMessage(db, id)
    if (!due) return { state: 'gone' }
    const refusal = reasonNotToSend(due)
    if (refusal) return refusal
    if (due.row.channel !== 'web') return { state: 'outside' }
    await db.query('UPDATE scheduled_messages SET attempts = attempts + 1 WHERE id = $1', [id])
    return { state: 'sent', lateByMs: await storeSent(db, due.session, due.row) }
  })
}
