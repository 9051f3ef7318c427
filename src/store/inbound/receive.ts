import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { OUTBOX_BELL, SESSION_CHANNEL } from '../../contracts/event'
import type { InboundMessage } from '../../contracts/inbound'
import { plainText } from '../../contracts/message-chain'
import type { Session } from '../../contracts/session'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { lockSession } from '../session-writes'
import { storableJson, storableText } from '../storable'

/** Stores a message that a platform handed in, once per its id. False when it is there already. */
export function receiveInbound(pool: Pool, session: Session, message: InboundMessage): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    await lockSession(db, session.sessionKey)
    const { rowCount } = await db.query(
      `WITH before AS MATERIALIZED (
         SELECT 1 FROM inbound_messages WHERE session_key = $5 AND state = 'received' LIMIT 1
       ), created AS (
         INSERT INTO inbound_messages (id, bot_uuid, channel, external_id, session_key, sender_id, sender_name, content,
           message_chain, reply_to)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (bot_uuid, channel, external_id) DO NOTHING RETURNING id
       ), told AS (
         INSERT INTO outbox (kind, ref_id, next_attempt_at)
         SELECT 'start_inbound', id, now() FROM created WHERE NOT EXISTS (SELECT 1 FROM before)
       )
       SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_BELL}') FROM created`,
      [
        ...[uuidv7(), session.botUuid, session.channel, message.externalId, session.sessionKey, message.senderId],
        ...[
          storableText(message.senderName ?? '') || null,
          storableText(plainText(message.chain)),
          storableJson(message.chain),
        ],
        message.replyTo ?? null,
      ],
    )
    return rowCount === 1
  })
}

/** Starts the first of the session that is not answered. The session must be locked. */
export async function startNextInbound(db: Queryable, sessionKey: string): Promise<void> {
  await db.query(
    `WITH told AS (
       INSERT INTO outbox (kind, ref_id, next_attempt_at)
       SELECT 'start_inbound', id, now() FROM inbound_messages WHERE session_key = $1 AND state = 'received'
       ORDER BY seq LIMIT 1 RETURNING 1
     )
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_BELL}') FROM told`,
    [sessionKey],
  )
}
