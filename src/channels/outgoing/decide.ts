import type { Pool } from 'pg'
import { deliveryRef } from '../../contracts/delivery'
import type { Delivery, DeliveryOutcome } from '../../contracts/delivery'
import {
  endPromise,
  isCancelling,
  lockPromised,
  notePromiseError,
  scheduledMessageRef,
  storeSent,
} from '../../reminders'
import type { Session } from '../../conversation/session'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { endAttempt, isInCall } from '../../engine/delivery-attempts'
import type { PromiseEnd } from '../../reminders/sql/end'
import { lockSessionIfThere } from '../../engine/session-writes'
import { storableText } from '../../engine/storable'
import { startNextDelivery } from '../../engine/outgoing-line'

/** The columns of a `Delivery`. */
export const DELIVERY = `id, message_id, scheduled_message_id, session_key, bot_uuid, channel, state, attempts,
  platform_message_ids, degraded, last_error, possible_duplicate, created_at, ended_at`

/** A delivery with its place in the line of its session. */
export interface DeliveryInLine extends Delivery {
  seq: number
  /** Quiet hours keep it out of the line until then. */
  parkedUntil: Date | null
}

export const IN_LINE = `${DELIVERY}, seq, parked_until`

export interface AttemptRef {
  id: string
  sourceRef: string
  number: number
}

export interface AttemptFailure {
  error: string
  final: boolean
  /** The platform may have it all the same. */
  uncertain: boolean
}

/** The platform took it: sent, whatever was asked meanwhile. */
export function completeDelivery(
  pool: Pool,
  { id, sourceRef, number }: AttemptRef,
  receipt: { platformMessageIds: string[]; degraded: string | null },
): Promise<DeliveryOutcome & { lateByMs?: number }> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    const ids = receipt.platformMessageIds
    await endAttempt(db, sourceRef, number, { outcome: 'accepted', receipt: ids.join(',') || null })
    if (!locked) return { state: 'gone' }
    if (locked.row.state !== 'pending') return { state: locked.row.state }
    await db.query('UPDATE deliveries SET platform_message_ids = $2, degraded = $3 WHERE id = $1', [
      id,
      ids,
      receipt.degraded,
    ])
    const lateByMs = await keepPromise(db, locked.row, locked.session)
    return { ...(await decide(db, locked.row, { state: 'sent' })), lateByMs }
  })
}

/** The platform refused: kept for another try, or `failed` for good; visible in the row either way. */
export function failDeliveryAttempt(
  pool: Pool,
  { id, sourceRef, number }: AttemptRef,
  { error, final, uncertain }: AttemptFailure,
): Promise<void> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    const outcome = uncertain ? 'uncertain' : final ? 'failed' : 'retry'
    await endAttempt(db, sourceRef, number, { outcome, error })
    if (locked?.row.state !== 'pending') return
    if (final) return void (await decide(db, locked.row, { state: 'failed', error }))
    await db.query('UPDATE deliveries SET last_error = $2 WHERE id = $1', [id, cut(error)])
    if (locked.row.scheduledMessageId) await notePromiseError(db, locked.row.scheduledMessageId, cut(error))
  })
}

/**
 * Given up by an operator, or its workflow broke. Changes nothing that is decided, and nothing while the platform is being
 * called, which may take it; answers whether it did.
 */
export function giveUpDelivery(pool: Pool, id: string, reason: string): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    if (locked?.row.state !== 'pending' || (await isBeingSent(db, locked.row))) return false
    await decide(db, locked.row, { state: 'failed', error: reason })
    return true
  })
}

/** The decision about one is what starts the next, and what becomes of the promise that it keeps. */
export async function decide(
  db: Queryable,
  { id, sessionKey, scheduledMessageId: promiseId }: DeliveryInLine,
  end: { state: 'sent' } | { state: 'failed'; error: string },
): Promise<{ state: 'sent' | 'failed' }> {
  const error = end.state === 'failed' ? cut(end.error) : null
  await db.query(
    'UPDATE deliveries SET state = $2, last_error = coalesce($3, last_error), ended_at = now() WHERE id = $1',
    [id, end.state, error],
  )
  if (promiseId && error !== null) await endPromise(db, promiseId, endOfPromise(error))
  await startNextDelivery(db, sessionKey)
  return { state: end.state }
}

const endOfPromise = (error: string): PromiseEnd =>
  isCancelling(error) ? { status: 'cancelled', reason: error } : { status: 'failed', error }

/** History row, `sent` and events of a promise; its history row is the message that was delivered. */
async function keepPromise(
  db: Queryable,
  row: DeliveryInLine,
  session: Session | undefined,
): Promise<number | undefined> {
  const promised = row.scheduledMessageId && (await lockPromised(db, row.scheduledMessageId))
  if (!promised || !session || promised.row.status !== 'pending') return undefined
  const { messageId, lateByMs } = await storeSent(db, session, promised.row)
  await db.query('UPDATE deliveries SET message_id = $2 WHERE id = $1', [row.id, messageId])
  return lateByMs
}

async function isBeingSent(db: Queryable, row: DeliveryInLine): Promise<boolean> {
  const sourceRef = row.scheduledMessageId ? scheduledMessageRef(row.scheduledMessageId) : deliveryRef(row.id)
  const { rows } = await db.query<{ busy: boolean }>(`SELECT ${isInCall('$1')} AS busy`, [sourceRef])
  return rows[0]!.busy
}

/** Locks the session first, like every writer. A session that was deleted is absent; its delivery can still be decided. */
export async function lockDelivery(
  db: Queryable,
  id: string,
): Promise<{ row: DeliveryInLine; session: Session | undefined } | undefined> {
  const found = await db.query<{ sessionKey: string }>('SELECT session_key FROM deliveries WHERE id = $1', [id])
  if (!found.rows[0]) return undefined
  const session = await lockSessionIfThere(db, found.rows[0].sessionKey)
  const { rows } = await db.query<DeliveryInLine>(`SELECT ${IN_LINE} FROM deliveries WHERE id = $1 FOR UPDATE`, [id])
  return rows[0] && { row: rows[0], session }
}

const cut = (error: string) => storableText(error).slice(0, 1_000)
