import type { Pool } from 'pg'
import { deliveryRef } from '../../contracts/delivery'
import type { DeliveryOutcome } from '../../contracts/delivery'
import type { MessageChain } from '../../contracts/message-chain'
import { actionsOf, deferWhileQuiet, lockPromised, scheduledMessageRef } from '../../reminders'
import type { Session } from '../../conversation/session'
import type { SourceKind } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { mayHaveArrived, msSinceFirstAttempt, startAttempt } from '../../engine/delivery-attempts'
import { decide, IN_LINE, lockDelivery } from './decide'
import type { DeliveryInLine } from './decide'
import { isBehind, startNextDelivery } from '../../engine/outgoing-line'

/** What is to be sent, and what of it the platform has already. */
export interface DeliveryAttempt extends Said {
  id: string
  /** What a receiver sees as the id of the message, the same over all retries. */
  sourceRef: string
  number: number
  session: Session
  sentParts: string[]
  /** Milliseconds since the first try, to bound the retries. */
  tryingForMs: number
}

interface Said {
  text: string
  chain: MessageChain | undefined
  sourceKind: SourceKind
  /** The platform's id of the message that is answered. */
  replyTo: string | null
  /** When a promised message was due; null of all others. */
  dueAt: Date | null
  /** How late a promised message is by now, or the automation was that it answers. */
  lateByMs: number
}

/** `behind` is one that has to let others of its session go first. */
export type DeliveryStart = { state: 'go'; attempt: DeliveryAttempt } | { state: 'behind' } | DeliveryOutcome

/** Writes the attempt before the call is made; what cannot be sent any more, or not now, is decided here. */
export function beginDelivery(pool: Pool, id: string, idempotent: boolean): Promise<DeliveryStart> {
  return inTransaction(pool, async (db) => {
    const locked = await lockDelivery(db, id)
    if (!locked) return { state: 'gone' }
    const { session } = locked
    if (locked.row.state !== 'pending') return { state: locked.row.state }
    if (!session) return decide(db, locked.row, { state: 'failed', error: 'session deleted' })
    const row = locked.row.parkedUntil ? await rejoin(db, locked.row) : locked.row
    if ('waitMs' in row) return { state: 'early', waitMs: row.waitMs }
    if (await isBehind(db, { seq: row.seq, sessionKey: row.sessionKey })) return { state: 'behind' }
    const quiet = await parkWhileQuiet(db, row)
    if (quiet) return quiet
    const said = row.scheduledMessageId
      ? await findPromised(db, row.scheduledMessageId, session)
      : await findSaid(db, row)
    if (!said) return decide(db, row, { state: 'failed', error: 'message deleted' })
    return {
      state: 'go',
      attempt: { ...said, session, ...(await startOne(db, row, { idempotent, dueAt: said.dueAt })) },
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

async function startOne(
  db: Queryable,
  row: DeliveryInLine,
  { idempotent, dueAt }: Pick<Said, 'dueAt'> & { idempotent: boolean },
) {
  const { id, channel, scheduledMessageId: promiseId, platformMessageIds: sentParts } = row
  const sourceRef = promiseId ? scheduledMessageRef(promiseId) : deliveryRef(id)
  const uncertain = await mayHaveArrived(db, sourceRef)
  const number = row.attempts + 1
  const values = [number, uncertain && !idempotent]
  await db.query('UPDATE deliveries SET attempts = $2, possible_duplicate = possible_duplicate OR $3 WHERE id = $1', [
    id,
    ...values,
  ])
  if (promiseId) {
    await db.query(
      `UPDATE scheduled_messages SET attempts = $2, possible_duplicate = possible_duplicate OR $3, updated_at_ts = now()
       WHERE id = $1`,
      [promiseId, ...values],
    )
  }
  await startAttempt(db, { sourceRef, number, channel })
  // Tries from before quiet hours moved it do not count.
  const tryingForMs = await msSinceFirstAttempt(db, sourceRef, dueAt ?? undefined)
  return { id, sourceRef, number, sentParts, tryingForMs }
}

/** Quiet hours may have begun while it waited for its turn: it leaves the line until their end, and holds up nobody. */
async function parkWhileQuiet(db: Queryable, row: DeliveryInLine): Promise<DeliveryOutcome | undefined> {
  if (!row.scheduledMessageId) return undefined
  const promised = await lockPromised(db, row.scheduledMessageId)
  const deferred = promised && (await deferWhileQuiet(db, promised))
  if (!deferred) return undefined
  await db.query('UPDATE deliveries SET parked_until = $2 WHERE id = $1', [row.id, new Date(deferred.dueAtMs)])
  await startNextDelivery(db, row.sessionKey)
  return { state: 'early', waitMs: deferred.waitMs }
}

/** Back into the line, behind all that is there, when its time has come; else how long until then. */
async function rejoin(db: Queryable, { id }: DeliveryInLine): Promise<DeliveryInLine | { waitMs: number }> {
  const { rows } = await db.query<DeliveryInLine>(
    `UPDATE deliveries SET parked_until = NULL, seq = nextval('deliveries_seq_seq')
     WHERE id = $1 AND parked_until <= now() RETURNING ${IN_LINE}`,
    [id],
  )
  if (rows[0]) return rows[0]
  const waiting = await db.query<{ waitMs: number }>(
    `SELECT ceil(1000 * extract(epoch FROM parked_until - now()))::float8 AS wait_ms FROM deliveries WHERE id = $1`,
    [id],
  )
  return waiting.rows[0]!
}

/** Of an automation the person on a platform sees the answer only, not the message that says when it was due. */
async function findSaid(db: Queryable, { messageId }: DeliveryInLine): Promise<Said | undefined> {
  const { rows } = await db.query<Said>(
    `SELECT m.message_content AS text, m.message_chain AS chain, m.source_kind, i.reply_to, NULL AS due_at,
       coalesce(r.late_by_ms, 0) AS late_by_ms
     FROM message_history m LEFT JOIN inbound_messages i ON i.turn_id = m.turn_id
       LEFT JOIN automation_runs r ON r.id = m.metadata ->> 'automation_run_id'
     WHERE m.id = $1`,
    [messageId],
  )
  return rows[0]
}

/** A reminder has buttons. OneBot has none to show: there only one that is said until it is done asks for words. */
async function findPromised(db: Queryable, id: string, session: Session): Promise<Said | undefined> {
  const { rows } = await db.query<Omit<Said, 'chain'> & { chain: MessageChain | null; untilDone: boolean }>(
    `SELECT message_text AS text, message_chain AS chain, source_kind, NULL AS reply_to, send_at_ts AS due_at,
       late_ms(send_at_ts) AS late_by_ms, repeat_seconds IS NOT NULL OR repeat_of IS NOT NULL AS until_done
     FROM scheduled_messages WHERE id = $1 AND status = 'pending'`,
    [id],
  )
  if (!rows[0]) return undefined
  const { untilDone, ...said } = rows[0]
  const hasButtons = said.sourceKind === 'scheduled_send' && (session.channel !== 'onebot' || untilDone)
  if (!hasButtons) return { ...said, chain: said.chain ?? undefined }
  const parts: MessageChain = said.chain ?? [{ type: 'Plain', text: said.text }]
  return { ...said, chain: [...parts, actionsOf(id, said.text, session)] }
}
