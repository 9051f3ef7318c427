import type { Pool } from 'pg'
import { scheduledMessageRef } from '../contract'
import type { DueOutcome, ScheduledMessage } from '../contract'
import type { Session } from '../../conversation/session'
import { readLateness } from '../../engine/clock'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { insertDelivery } from '../../engine/outgoing-line'
import { appendEvents, insertMessage, lockSessionIfThere, messageEvent } from '../../engine/session-writes'
import { CHANGED, promiseEvent } from './rows'
import type { ChangedRow } from './rows'

/** What must be known of a message to send it, as it is stored. */
interface DueMessage extends Pick<
  ScheduledMessage,
  | 'id'
  | 'status'
  | 'chatType'
  | 'messageText'
  | 'chain'
  | 'sourceKind'
  | 'deferredFrom'
  | 'sentMessageId'
  | 'attempts'
  | 'possibleDuplicate'
  | 'repeatOf'
> {
  sendAtTs: Date
  pipelineUuid: string | null
}

export interface DueCheck {
  row: DueMessage
  waitMs: number
  /** It has to wait for the end of the quiet hours. */
  quietUntil: Date | null
  /** Its delivery carries on. */
  handedOver: boolean
}

/** Locks the session, then the message. Undefined when the message is gone; a deleted session is absent. */
export async function lockMessage(
  db: Queryable,
  id: string,
): Promise<(DueCheck & { session: Session | undefined }) | undefined> {
  const found = await db.query<{ sessionId: string }>('SELECT session_id FROM scheduled_messages WHERE id = $1', [id])
  const sessionKey = found.rows[0]?.sessionId
  if (sessionKey === undefined) return undefined
  const session = await lockSessionIfThere(db, sessionKey)
  const locked = await lockPromised(db, id)
  return locked && { ...locked, session }
}

/** Locks a message of a session that is locked. */
export async function lockPromised(db: Queryable, id: string): Promise<DueCheck | undefined> {
  const { rows } = await db.query<DueMessage & Omit<DueCheck, 'row'>>(
    `SELECT m.id, m.status, m.chat_type, m.message_text, m.message_chain AS chain, m.pipeline_uuid, m.source_kind,
       m.send_at_ts, m.deferred_from, m.sent_message_id, m.attempts, m.possible_duplicate, m.repeat_of,
       ceil(1000 * extract(epoch FROM m.send_at_ts - now()))::float8 AS wait_ms,
       EXISTS (SELECT 1 FROM deliveries d WHERE d.scheduled_message_id = m.id) AS handed_over,
       CASE WHEN NOT m.urgent THEN quiet_until(m.send_at_ts, s.timezone, s.quiet_start, s.quiet_end) END AS quiet_until
     FROM scheduled_messages m JOIN sessions s ON s.session_key = m.session_id WHERE m.id = $1 FOR UPDATE OF m`,
    [id],
  )
  if (!rows[0]) return undefined
  const { waitMs, quietUntil, handedOver, ...row } = rows[0]
  return { row, waitMs, quietUntil, handedOver }
}

/** The five checks under the lock: pending, private, due, not sent, not cancelled. Undefined means go. */
function reasonNotToSend({ row, waitMs }: Pick<DueCheck, 'row' | 'waitMs'>): DueOutcome | undefined {
  if (row.status === 'sent' || row.sentMessageId !== null) return { state: 'sent' }
  if (row.status === 'cancelled') return { state: 'cancelled' }
  if (row.status !== 'pending') return { state: 'failed' }
  if (row.chatType !== 'private' && row.sourceKind !== 'push') return { state: 'failed' }
  if (waitMs > 0) return { state: 'early', waitMs, ...(row.deferredFrom ? { dueAtMs: row.sendAtTs.getTime() } : {}) }
  return undefined
}

/** Moves a message that is due to the end of the quiet hours, visibly: it is due then, and late only after that. */
export async function deferWhileQuiet(
  db: Queryable,
  due: DueCheck,
): Promise<{ state: 'early'; waitMs: number; dueAtMs: number } | undefined> {
  if (!due.quietUntil) return undefined
  const { rows } = await db.query<ChangedRow & { waitMs: number }>(
    `UPDATE scheduled_messages SET send_at_ts = $2, deferred_from = coalesce(deferred_from, send_at_ts),
       updated_at_ts = now() WHERE id = $1
     RETURNING ${CHANGED}, ceil(1000 * extract(epoch FROM send_at_ts - now()))::float8 AS wait_ms`,
    [due.row.id, due.quietUntil],
  )
  const row = rows[0]!
  await appendEvents(db, row.sessionId, [promiseEvent(row)])
  return { state: 'early', waitMs: row.waitMs, dueAtMs: row.sendAtTs.getTime() }
}

/** SQL: one that is said until it is done waits for its next time from the moment it is sent. */
export const REPEATS_FROM_NOW = `next_repeat_at = clock_timestamp() + make_interval(secs => repeat_seconds),
  follow_up = CASE WHEN repeat_seconds IS NOT NULL THEN 'repeating' ELSE follow_up END`

/** History row, `sent` state and events, in the transaction that decided to send. */
export async function storeSent(
  db: Queryable,
  session: Session,
  row: DueMessage,
): Promise<{ messageId: number; lateByMs: number }> {
  const lateByMs = await readLateness(db, row.sendAtTs)
  const message = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: row.messageText,
    chain: row.chain ?? undefined,
    pipelineUuid: row.pipelineUuid ?? undefined,
    sourceKind: row.sourceKind,
    sourceRef: scheduledMessageRef(row.id),
    metadata: {
      scheduled_message_id: row.id,
      late_by_ms: lateByMs,
      ...(row.deferredFrom === null ? {} : { deferred_from: row.deferredFrom.toISOString() }),
      ...(row.repeatOf === null ? {} : { repeat_of: row.repeatOf }),
    },
    deliver: false,
  })
  const { rows } = await db.query<ChangedRow>(
    `UPDATE scheduled_messages SET status = 'sent', sent_message_id = $2, sent_at_ts = clock_timestamp(), late_by_ms = $3,
       updated_at_ts = now(), ${REPEATS_FROM_NOW} WHERE id = $1 RETURNING ${CHANGED}`,
    [row.id, message.id, lateByMs],
  )
  await appendEvents(db, session.sessionKey, [messageEvent(message), promiseEvent(rows[0]!)])
  return { messageId: message.id, lateByMs }
}

/** Sends one web message: storing it is sending it, and live watchers are woken by the commit. */
export function deliverOnWeb(pool: Pool, id: string): Promise<DueOutcome & { lateByMs?: number }> {
  return inTransaction(pool, async (db) => {
    const due = await lockDue(db, id)
    if ('state' in due) return due
    await db.query('UPDATE scheduled_messages SET attempts = attempts + 1 WHERE id = $1', [id])
    const { lateByMs } = await storeSent(db, due.session, due.row)
    return { state: 'sent', lateByMs }
  })
}

/** Puts a message that leaves for a platform into the line of its session; from then on its delivery decides about it. */
export function handOver(pool: Pool, id: string): Promise<DueOutcome> {
  return inTransaction(pool, async (db) => {
    const due = await lockDue(db, id)
    if ('state' in due) return due
    const { attempts, possibleDuplicate } = due.row
    await insertDelivery(db, due.session, { scheduledMessageId: id, attempts, possibleDuplicate })
    return { state: 'handed_over' }
  })
}

/** Locks a message that may go now, or answers why it does not. */
async function lockDue(db: Queryable, id: string): Promise<{ row: DueMessage; session: Session } | DueOutcome> {
  const due = await lockMessage(db, id)
  if (!due) return { state: 'gone' }
  const { row, session } = due
  const refusal = reasonNotToSend(due)
  if (refusal) return refusal
  if (due.handedOver) return { state: 'handed_over' }
  if (!session) return endWithSession(db, id)
  return (await deferWhileQuiet(db, due)) ?? { row, session }
}

/** What was promised in a session that is deleted has ended with it; there is no stream to tell it on. */
async function endWithSession(db: Queryable, id: string): Promise<DueOutcome> {
  await db.query(
    `UPDATE scheduled_messages SET status = 'cancelled', cancel_reason = 'session deleted', updated_at_ts = now()
     WHERE id = $1 AND status = 'pending'`,
    [id],
  )
  return { state: 'cancelled' }
}
