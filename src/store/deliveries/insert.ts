import { v7 as uuidv7 } from 'uuid'
import { OUTBOX_BELL, SESSION_CHANNEL } from '../../contracts/event'
import type { Session } from '../../contracts/session'
import type { Queryable } from '../database'

/**
 * Puts a message on its way with the commit that stores it. It starts at once only when nothing of the session is on its
 * way before it; else it is started by the decision about the one before. The session must be locked.
 */
export async function insertDelivery(db: Queryable, session: Session, messageId: number): Promise<void> {
  await db.query(
    `WITH before AS MATERIALIZED (
       SELECT 1 FROM deliveries WHERE session_key = $3 AND state = 'pending' LIMIT 1
     ), created AS (
       INSERT INTO deliveries (id, message_id, session_key, bot_uuid, channel) VALUES ($1, $2, $3, $4, $5) RETURNING id
     ), told AS (
       INSERT INTO outbox (kind, ref_id, next_attempt_at)
       SELECT 'start_delivery', id, now() FROM created WHERE NOT EXISTS (SELECT 1 FROM before)
     )
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_BELL}')`,
    [uuidv7(), messageId, session.sessionKey, session.botUuid, session.channel],
  )
}

/** Starts the first of the session that is not decided. The session must be locked. */
export async function startNextDelivery(db: Queryable, sessionKey: string): Promise<void> {
  await db.query(
    `WITH told AS (
       INSERT INTO outbox (kind, ref_id, next_attempt_at)
       SELECT 'start_delivery', id, now() FROM deliveries WHERE session_key = $1 AND state = 'pending'
       ORDER BY message_id LIMIT 1 RETURNING 1
     )
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_BELL}') FROM told`,
    [sessionKey],
  )
}
