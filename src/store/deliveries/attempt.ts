import type { Pool } from 'pg'
import { deliveryRef } from '../../contracts/delivery'
import type { DeliveryOutcome } from '../../contracts/delivery'
import type { MessageChain } from '../../contracts/message-chain'
import type { Session } from '../../contracts/session'
import type { SourceKind } from '../../contracts/words'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { endAttempt, markUncertain, msSinceFirstAttempt, startAttempt } from '../delivery-attempts'
import { toSession } from '../session-rows'
import type { SessionRow } from '../session-rows'
import { storableText } from '../storable'
import { startNextDelivery } from './insert'
import type { DeliveryRow } from './rows'

/** What is to be sent, and what of it the platform has already. */
export interface DeliveryAttempt {
  id: string
  number: number
  session: Session
  text: string
  chain: MessageChain
  sourceKind: SourceKind
  /** The platform's id of the message that is answered. */
  replyTo: string | null
  sentParts: string[]
  /** Milliseconds since the first try, to bound the retries. */
  tryingForMs: number
}

export type DeliveryStart = { state: 'go'; attempt: DeliveryAttempt } | DeliveryOutcome

/** Writes the attempt before the call is made; what cannot be sent any more is decided here. */
export function beginDelivery(pool: Pool, id: string, idempotent: boolean): Promise<DeliveryStart> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    if (!locked) return { state: 'gone' }
    const { row, session } = locked
    if (row.state !== 'pending') return { state: row.state }
    const said = await findSaid(db, row.message_id)
    if (!session || !said) return decide(db, row, 'failed', session ? 'message deleted' : 'session deleted')
    const sourceRef = deliveryRef(id)
    const uncertain = await markUncertain(db, sourceRef)
    const number = row.attempts + 1
    await db.query('UPDATE deliveries SET attempts = $2, possible_duplicate = possible_duplicate OR $3 WHERE id = $1', [
      id,
      number,
      uncertain && !idempotent,
    ])
    await startAttempt(db, { sourceRef, number, channel: row.channel })
    const tryingForMs = await msSinceFirstAttempt(db, sourceRef)
    return {
      state: 'go',
      attempt: { id, number, session, ...said, sentParts: row.platform_message_ids, tryingForMs },
    }
  })
}

/** A part that the platform has taken is not sent again, whatever becomes of the rest. */
export async function addSentPart(pool: Pool, id: string, platformMessageId: string): Promise<void> {
  await pool.query('UPDATE deliveries SET platform_message_ids = platform_message_ids || $2::text WHERE id = $1', [
    id,
    platformMessageId,
  ])
}

export function completeDelivery(
  pool: Pool,
  { id, number }: Pick<DeliveryAttempt, 'id' | 'number'>,
  receipt: { platformMessageIds: string[]; degraded: string | null },
): Promise<DeliveryOutcome> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    if (!locked) return { state: 'gone' }
    const ids = receipt.platformMessageIds
    await endAttempt(db, deliveryRef(id), number, { outcome: 'accepted', receipt: ids.join(',') || null })
    if (locked.row.state !== 'pending') return { state: locked.row.state }
    await db.query('UPDATE deliveries SET platform_message_ids = $2, degraded = $3 WHERE id = $1', [
      id,
      ids,
      receipt.degraded,
    ])
    return decide(db, locked.row, 'sent', null)
  })
}

/** The platform refused: kept for another try, or `failed` for good; visible in the row either way. */
export function failDeliveryAttempt(
  pool: Pool,
  { id, number }: Pick<DeliveryAttempt, 'id' | 'number'>,
  failure: { error: string; final: boolean },
): Promise<void> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    if (!locked) return
    const outcome = failure.final ? 'failed' : 'retry'
    await endAttempt(db, deliveryRef(id), number, { outcome, error: failure.error })
    if (locked.row.state !== 'pending') return
    if (failure.final) await decide(db, locked.row, 'failed', failure.error)
    else await db.query('UPDATE deliveries SET last_error = $2 WHERE id = $1', [id, storableText(failure.error)])
  })
}

/** Given up by an operator, or its workflow broke. Changes nothing that is decided; answers whether it did. */
export function giveUpDelivery(pool: Pool, id: string, reason: string): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    if (locked?.row.state !== 'pending') return false
    await decide(db, locked.row, 'failed', reason)
    return true
  })
}

/** The decision about one is what starts the next. */
async function decide(
  db: Queryable,
  row: DeliveryRow,
  state: 'sent' | 'failed',
  error: string | null,
): Promise<DeliveryOutcome> {
  await db.query(
    'UPDATE deliveries SET state = $2, last_error = coalesce($3, last_error), ended_at = now() WHERE id = $1',
    [row.id, state, error === null ? null : storableText(error).slice(0, 1_000)],
  )
  await startNextDelivery(db, row.session_key)
  return { state }
}

/** Locks the session first, like every writer. A session that was deleted is absent; its delivery can still be decided. */
async function lockDelivery(
  db: Queryable,
  id: string,
): Promise<{ row: DeliveryRow; session: Session | undefined } | undefined> {
  const found = await db.query<{ session_key: string }>('SELECT session_key FROM deliveries WHERE id = $1', [id])
  if (!found.rows[0]) return undefined
  const sessions = await db.query<SessionRow & { deleted_at: Date | null }>(
    'SELECT * FROM sessions WHERE session_key = $1 FOR UPDATE',
    [found.rows[0].session_key],
  )
  const { rows } = await db.query<DeliveryRow>('SELECT * FROM deliveries WHERE id = $1 FOR UPDATE', [id])
  if (!rows[0]) return undefined
  const session = sessions.rows[0]
  return { row: rows[0], session: session && session.deleted_at === null ? toSession(session) : undefined }
}

type Said = Pick<DeliveryAttempt, 'text' | 'chain' | 'sourceKind' | 'replyTo'>

async function findSaid(db: Queryable, messageId: number): Promise<Said | undefined> {
  const { rows } = await db.query<Said>(
    `SELECT m.message_content AS text, m.message_chain AS chain, m.source_kind AS "sourceKind", i.reply_to AS "replyTo"
     FROM message_history m LEFT JOIN inbound_messages i ON i.turn_id = m.turn_id WHERE m.id = $1`,
    [messageId],
  )
  return rows[0]
}
