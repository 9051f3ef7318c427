import { isPlain } from '../contracts/message-chain'
import { SESSION_CHANNEL } from '../contracts/event'
import type { EventName, MessageEventData } from '../contracts/event'
import type { HistoryMessage, NewMessage } from '../contracts/message'
import type { Session } from '../contracts/session'
import { notFound, TurnLostError } from '../errors'
import type { Queryable } from './database'
import { insertDelivery } from './deliveries/insert'
import { toMessage } from './message-rows'
import type { MessageRow } from './message-rows'
import { toSession } from './session-rows'
import type { SessionRow } from './session-rows'
import { storableJson, storableText } from './storable'

export interface TurnFence {
  turnId: string
  fence: number
}

/**
 * Every write in a session begins by locking its row. So events are numbered in the order of their commits, and no two
 * writers can deadlock. With a fence, the write belongs to a turn and fails once that turn has lost its session.
 */
export async function lockSession(db: Queryable, sessionKey: string, turn?: TurnFence): Promise<Session> {
  const { rows } = await db.query<SessionRow>(
    'SELECT * FROM sessions WHERE session_key = $1 AND deleted_at IS NULL FOR UPDATE',
    [sessionKey],
  )
  const row = rows[0]
  if (!row) throw notFound(`session ${sessionKey}`)
  if (turn && row.turn_fence !== turn.fence) throw new TurnLostError(turn.turnId)
  return toSession(row)
}

export interface NewEvent {
  name: EventName
  data: object
}

/** Numbers and stores events and wakes the watchers when the transaction commits. The session must be locked. */
export async function appendEvents(db: Queryable, sessionKey: string, events: NewEvent[]): Promise<void> {
  await db.query(
    `WITH session AS (
       UPDATE sessions SET event_seq = event_seq + cardinality($2::text[]), updated_at = now()
       WHERE session_key = $1 RETURNING event_seq - cardinality($2::text[]) AS base
     ), stored AS (
       INSERT INTO session_events (session_key, seq, name, data)
       SELECT $1, session.base + event.position, event.name, event.data
       FROM session, unnest($2::text[], $3::jsonb[]) WITH ORDINALITY AS event (name, data, position)
     )
     SELECT pg_notify('${SESSION_CHANNEL}', $1)`,
    [sessionKey, events.map((event) => event.name), events.map((event) => storableJson(event.data))],
  )
}

/**
 * Stores a message of the session. What the assistant says on an outside channel is on its way with the same commit. The
 * session must be locked: so its messages are dated in the order of their ids, since the clock is read after the lock.
 * That the conversation was heard of is noted by a trigger.
 */
export async function insertMessage(db: Queryable, session: Session, message: NewMessage): Promise<HistoryMessage> {
  const content = storableText(message.content)
  const { rows } = await db.query<MessageRow>(
    `INSERT INTO message_history (bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
       message_content, message_chain, session_key, turn_id, source_kind, source_ref, type, payload, metadata,
       query_id, created_at, updated_at)
     SELECT $1::text, coalesce($2::text, (SELECT pipeline_uuid FROM bots WHERE uuid = $1::text)), $3, $4, $5, $6, $7,
       $8::jsonb, $9, $10::uuid, $11, $12, $13, $14::jsonb, $15::jsonb,
       (SELECT seq::int FROM turns WHERE id = $10::uuid AND seq <= 2147483647), instant, instant
     FROM clock_timestamp() AS instant RETURNING *`,
    [
      session.botUuid,
      message.pipelineUuid ?? session.pipelineUuid,
      session.launcherType,
      session.launcherId,
      message.senderId,
      message.role,
      content,
      storableJson(message.chain ?? [{ type: 'Plain', text: content }]),
      session.sessionKey,
      message.turnId ?? null,
      message.sourceKind,
      message.sourceRef ?? null,
      message.type ?? 'text',
      message.payload === undefined || message.payload === null ? null : storableJson(message.payload),
      storableJson(message.metadata ?? {}),
    ],
  )
  const stored = toMessage(rows[0]!)
  const leaves = message.role === 'assistant' && session.channel !== 'web' && message.deliver !== false
  if (leaves) await insertDelivery(db, session, stored.id)
  return stored
}

export function messageEvent(message: HistoryMessage): NewEvent {
  const data: MessageEventData = {
    id: message.id,
    role: message.role,
    content: message.content,
    message_chain: isPlain(message.chain) ? null : message.chain,
    type: message.type,
    payload: message.payload,
    source_kind: message.sourceKind,
    metadata: message.metadata,
    created_at: message.createdAt.toISOString(),
    turn_id: message.turnId,
  }
  return { name: 'message', data }
}
