import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { OUTBOX_WAKE, SESSION_CHANNEL } from '../../contracts/event'
import type { InboundMessage, InboundTask } from './contract'
import { KIND_INBOUND } from '../../contracts/temporal'
import { plainText } from '../../contracts/message-chain'
import type { Session } from '../../conversation/session'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { startSql } from '../../engine/outbox-store'
import { lockSession } from '../../engine/session-writes'
import { storableJson, storableText } from '../../engine/storable'

/** Stores a message that a platform handed in, once per its id. False when it is there already. */
export function receiveInbound(pool: Pool, session: Session, message: InboundMessage): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    await lockSession(db, session.sessionKey)
    const { rowCount } = await db.query(
      `WITH before AS MATERIALIZED (
         SELECT 1 FROM inbound_messages WHERE session_key = $5 AND state = 'received' LIMIT 1
       ), created AS (
         INSERT INTO inbound_messages (id, bot_uuid, channel, external_id, session_key, sender_id, sender_name, content,
           message_chain, reply_to, action)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (bot_uuid, channel, external_id) DO NOTHING RETURNING id
       ), told AS (
         ${startSql(KIND_INBOUND, 'created WHERE NOT EXISTS (SELECT 1 FROM before)')}
       )
       SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_WAKE}') FROM created`,
      [
        uuidv7(),
        session.botUuid,
        session.channel,
        message.externalId,
        session.sessionKey,
        message.senderId,
        storableText(message.senderName ?? '') || null,
        storableText(plainText(message.chain)),
        storableJson(message.chain),
        message.replyTo ?? null,
        message.action ?? null,
      ],
    )
    return rowCount === 1
  })
}

/** What is to be answered, with the one turn that may answer it. Undefined when that is over. */
export async function beginInbound(pool: Pool, id: string): Promise<InboundTask | undefined> {
  const { rows } = await pool.query<InboundTask>(
    `UPDATE inbound_messages SET turn_id = coalesce(turn_id, $2) WHERE id = $1 AND state = 'received'
     RETURNING id, session_key, bot_uuid, channel, turn_id, sender_id, sender_name, content, message_chain AS chain, action`,
    [id, uuidv7()],
  )
  return rows[0]
}

/** Starts the first of the session that is not answered. The session must be locked. */
export async function startNextInbound(db: Queryable, sessionKey: string): Promise<void> {
  await db.query(
    `WITH told AS (
       ${startSql(KIND_INBOUND, `inbound_messages WHERE session_key = $1 AND state = 'received' ORDER BY seq LIMIT 1`)} RETURNING 1
     )
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_WAKE}') FROM told`,
    [sessionKey],
  )
}

/** Ends a message, with an error when no turn could answer it; the next of its session may go. False if it had ended. */
export function endInbound(pool: Pool, id: string, error: string | null): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const found = await db.query<{ sessionKey: string }>(
      `SELECT session_key FROM inbound_messages WHERE id = $1 AND state = 'received'`,
      [id],
    )
    const sessionKey = found.rows[0]?.sessionKey
    if (sessionKey === undefined) return false
    await db.query('SELECT 1 FROM sessions WHERE session_key = $1 FOR UPDATE', [sessionKey])
    return closeInbound(db, { id, sessionKey }, error)
  })
}

/** The same in a transaction that has locked the session. */
export async function closeInbound(
  db: Queryable,
  { id, sessionKey }: { id: string; sessionKey: string },
  error: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE inbound_messages SET state = CASE WHEN $2::text IS NULL THEN 'answered' ELSE 'failed' END,
       error = $2, ended_at = now() WHERE id = $1 AND state = 'received'`,
    [id, error?.slice(0, 200) ?? null],
  )
  if (rowCount === 1) await startNextInbound(db, sessionKey)
  return rowCount === 1
}

/** What a platform handed in and nobody answered is over with its session; its workflow finds that and ends. */
export async function endInboundOf(db: Queryable, sessionKey: string): Promise<void> {
  await db.query(
    `UPDATE inbound_messages SET state = 'failed', ended_at = now() WHERE session_key = $1 AND state = 'received'`,
    [sessionKey],
  )
}
