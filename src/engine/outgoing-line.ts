import { v7 as uuidv7 } from 'uuid'
import { deliveryWorkflowId } from '../contracts/delivery'
import { OUTBOX_WAKE, SESSION_CHANNEL } from '../contracts/event'
import type { Session } from '../conversation/session'
import type { Queryable } from './database'
import { KIND_DELIVERY } from '../contracts/temporal'
import { cancelWorkflows, startSql } from './outbox-store'

/** Where a delivery stands that waits for its turn; what quiet hours keep back stands beside the line. */
const IN_LINE = `state = 'pending' AND parked_until IS NULL`

/** A message of the history, or a promise with what older tries have left of it. */
export type Delivered =
  { messageId: number } | { scheduledMessageId: string; attempts: number; possibleDuplicate: boolean }

/**
 * Puts a message on its way with the commit that stores or claims it. It starts at once only when nothing of the session
 * is on its way before it; else it is started by the decision about the one before. A promise is on its way only once.
 * The session must be locked.
 */
export async function insertDelivery(db: Queryable, session: Session, what: Delivered): Promise<void> {
  const promised = 'scheduledMessageId' in what ? what : undefined
  await db.query(
    `WITH before AS MATERIALIZED (
       SELECT 1 FROM deliveries WHERE session_key = $4 AND ${IN_LINE} LIMIT 1
     ), created AS (
       INSERT INTO deliveries (id, message_id, scheduled_message_id, session_key, bot_uuid, channel, attempts,
         possible_duplicate)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (scheduled_message_id) DO NOTHING RETURNING id
     ), told AS (
       ${startSql(KIND_DELIVERY, 'created WHERE NOT EXISTS (SELECT 1 FROM before)')}
     )
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_WAKE}')`,
    [
      uuidv7(),
      'messageId' in what ? what.messageId : null,
      promised?.scheduledMessageId ?? null,
      session.sessionKey,
      session.botUuid,
      session.channel,
      promised?.attempts ?? 0,
      promised?.possibleDuplicate ?? false,
    ],
  )
}

/** Starts the first of the session that is not decided. The session must be locked. */
export async function startNextDelivery(db: Queryable, sessionKey: string): Promise<void> {
  await db.query(
    `WITH told AS (
       ${startSql(KIND_DELIVERY, `deliveries WHERE session_key = $1 AND ${IN_LINE} ORDER BY seq LIMIT 1`)} RETURNING 1
     )
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_WAKE}') FROM told`,
    [sessionKey],
  )
}

/** Whether something of the session goes first. The session must be locked. */
export async function isBehind(
  db: Queryable,
  { seq, sessionKey }: { seq: number; sessionKey: string },
): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM deliveries WHERE session_key = $1 AND ${IN_LINE} AND seq < $2 LIMIT 1`,
    [sessionKey, seq],
  )
  return rows.length > 0
}

/** Takes cancelled promises out of the line; what stands behind them goes on. The session must be locked. */
export async function withdrawDeliveries(db: Queryable, sessionKey: string, messageIds: string[]): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    'DELETE FROM deliveries WHERE scheduled_message_id = ANY ($1::uuid[]) RETURNING id',
    [messageIds],
  )
  if (rows.length === 0) return
  await endWorkflows(db, rows)
  await startNextDelivery(db, sessionKey)
}

/** A session that is deleted has nobody to deliver to. */
export async function endDeliveriesOf(db: Queryable, sessionKey: string): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE deliveries SET state = 'failed', last_error = 'session deleted', ended_at = now()
     WHERE session_key = $1 AND state = 'pending' RETURNING id`,
    [sessionKey],
  )
  await endWorkflows(db, rows)
}

const endWorkflows = (db: Queryable, deliveries: { id: string }[]) =>
  cancelWorkflows(
    db,
    deliveries.map(({ id }) => deliveryWorkflowId(id)),
  )
