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
  /** It has to wait for the end of the quiet hours. */
  quietUntil: Date | null
}

/** Locks the session, then the message. Undefined when either is gone. */
export async function lockMessage(db: Queryable, id: string): Promise<(DueCheck & { session: Session }) | undefined> {
  const found = await db.query<{ session_id: string }>('SELECT session_id FROM scheduled_messages WHERE id = $1', [id])
  const sessionKey = found.rows[0]?.session_id
  if (sessionKey === undefined) return undefined
  const session = await lockSession(db, sessionKey)
  const { rows } = await db.query<ScheduledMessageRow & { wait_ms: number; quiet_until: Date | null }>(
    `SELECT m.*, ceil(1000 * extract(epoch FROM m.send_at_ts - now()))::float8 AS wait_ms,
       CASE WHEN NOT m.urgent THEN quiet_until(m.send_at_ts, s.timezone, s.quiet_start, s.quiet_end) END AS quiet_until
     FROM scheduled_messages m JOIN sessions s ON s.session_key = m.session_id WHERE m.id = $1 FOR UPDATE OF m`,
    [id],
  )
  const [row] = rows
  return row ? { row, waitMs: row.wait_ms, quietUntil: row.quiet_until, session } : undefined
}

/** The five checks of seed 0 under the lock: pending, private, due, not sent, not cancelled. Undefined means go. */
export function reasonNotToSend({ row, waitMs }: Pick<DueCheck, 'row' | 'waitMs'>): DueOutcome | undefined {
  if (row.status === 'sent' || row.sent_message_id !== null) return { state: 'sent' }
  if (row.status === 'cancelled') return { state: 'cancelled' }
  if (row.status !== 'pending') return { state: 'failed' }
  if (row.chat_type !== 'private' && row.source_kind !== 'push') return { state: 'failed' }
  if (waitMs > 0) return { state: 'early', waitMs, ...(row.deferred_from ? { dueAtMs: row.send_at_ts.getTime() } : {}) }
  return undefined
}

/** Moves a message that is due to the end of the quiet hours, visibly: it is due then, and late only after that. */
export async function deferWhileQuiet(db: Queryable, due: DueCheck): Promise<DueOutcome | undefined> {
  if (!due.quietUntil) return undefined
  const { rows } = await db.query<ScheduledMessageRow & { wait_ms: number }>(
    `UPDATE scheduled_messages SET send_at_ts = $2, deferred_from = coalesce(deferred_from, send_at_ts),
       claimed_until = NULL, updated_at_ts = now() WHERE id = $1
     RETURNING *, ceil(1000 * extract(epoch FROM send_at_ts - now()))::float8 AS wait_ms`,
    [due.row.id, due.quietUntil],
  )
  const row = rows[0]!
  await appendEvents(db, row.session_id, [promiseEvent(row)])
  return { state: 'early', waitMs: row.wait_ms, dueAtMs: row.send_at_ts.getTime() }
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
    chain: row.message_chain ?? undefined,
    pipelineUuid: row.pipeline_uuid ?? undefined,
    sourceKind: row.source_kind,
    sourceRef: scheduledMessageRef(row.id),
    metadata: {
      scheduled_message_id: row.id,
      late_by_ms: lateByMs,
      ...(row.deferred_from === null ? {} : { deferred_from: row.deferred_from.toISOString() }),
    },
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
    const deferred = await deferWhileQuiet(db, due)
    if (deferred) return deferred
    await db.query('UPDATE scheduled_messages SET attempts = attempts + 1 WHERE id = $1', [id])
    return { state: 'sent', lateByMs: await storeSent(db, due.session, due.row) }
  })
}
