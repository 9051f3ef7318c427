import { SESSION_CHANNEL } from '../contracts/event'
import type { EventName, MessageEventData } from '../contracts/event'
import type { HistoryMessage, NewMessage } from '../conversation/message'
import type { Session } from '../conversation/session'
import { notFound, TurnLostError } from '../errors'
import type { Queryable } from './database'
import { insertDelivery } from './outgoing-line'
import { storableJson, storableText } from './storable'

/** The columns of a `Session`. */
export const SESSION = `sessions.session_key, sessions.bot_uuid, sessions.channel, sessions.launcher_type,
  sessions.launcher_id, sessions.pipeline_uuid, sessions.timezone, sessions.language, sessions.title,
  sessions.created_at, sessions.updated_at`

/** The columns of a `HistoryMessage`. */
export const MESSAGE = `id, session_key, turn_id, message_role AS role, sender_id, message_content AS content,
  message_chain AS chain, type, payload, source_kind, metadata, created_at`

export interface TurnFence {
  turnId: string
  fence: number
}

interface LockedSession {
  session: Session
  isDeleted: boolean
  fence: number
}

/** Locks a session's row, although it may be deleted: what began in it still has to end. */
export async function lockSessionRow(db: Queryable, sessionKey: string): Promise<LockedSession | undefined> {
  const { rows } = await db.query<Session & Omit<LockedSession, 'session'>>(
    `SELECT ${SESSION}, deleted_at IS NOT NULL AS is_deleted, turn_fence AS fence FROM sessions
     WHERE session_key = $1 FOR UPDATE`,
    [sessionKey],
  )
  if (!rows[0]) return undefined
  const { isDeleted, fence, ...session } = rows[0]
  return { session, isDeleted, fence }
}

/** The same for who can do without the session: absent when it is deleted, or never was. */
export async function lockSessionIfThere(
  db: Queryable,
  sessionKey: string,
  turn?: TurnFence,
): Promise<Session | undefined> {
  const locked = await lockSessionRow(db, sessionKey)
  if (!locked || locked.isDeleted) return undefined
  if (turn && locked.fence !== turn.fence) throw new TurnLostError(turn.turnId)
  return locked.session
}

/**
 * Every write in a session begins by locking its row. So events are numbered in the order of their commits, and no two
 * writers can deadlock. With a fence, the write belongs to a turn and fails once that turn has lost its session.
 */
export async function lockSession(db: Queryable, sessionKey: string, turn?: TurnFence): Promise<Session> {
  const session = await lockSessionIfThere(db, sessionKey, turn)
  if (!session) throw notFound(`session ${sessionKey}`)
  return session
}

export interface NewEvent {
  name: EventName
  data: object
}

/**
 * Numbers and stores events and wakes the watchers when the transaction commits. The session must be locked; one that is
 * deleted has no stream, and nothing is stored.
 */
export async function appendEvents(db: Queryable, sessionKey: string, events: NewEvent[]): Promise<void> {
  await db.query(
    `WITH session AS (
       UPDATE sessions SET event_seq = event_seq + cardinality($2::text[]), updated_at = now()
       WHERE session_key = $1 AND deleted_at IS NULL RETURNING event_seq - cardinality($2::text[]) AS base
     ), stored AS (
       INSERT INTO session_events (session_key, seq, name, data)
       SELECT $1, session.base + event.position, event.name, event.data
       FROM session, unnest($2::text[], $3::jsonb[]) WITH ORDINALITY AS event (name, data, position)
     )
     SELECT pg_notify('${SESSION_CHANNEL}', $1)`,
    [sessionKey, events.map((event) => event.name), events.map((event) => storableJson(event.data))],
  )
}

/** A message that was just written, with what is told of it. */
export type StoredMessage = HistoryMessage & { event: MessageEventData }

const TURN_SEQ = '(SELECT seq FROM turns WHERE id = said.turn_id)'

/**
 * Stores the message that is the given parameter (see `messageParameter`) in the session that the statement around it knows
 * as `session`. A statement that makes the turn itself says where its number is. The clock is read after the lock, so
 * messages of a session are dated in the order of their ids. That the conversation was heard of is noted by a trigger.
 */
export const storeMessage = (parameter: string, turnSeq = TURN_SEQ): string => `
  INSERT INTO message_history (bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
    message_content, message_chain, session_key, turn_id, source_kind, source_ref, type, payload, metadata, query_id,
    created_at, updated_at)
  SELECT session.bot_uuid, coalesce(said.pipeline_uuid, session.pipeline_uuid,
      (SELECT pipeline_uuid FROM bots WHERE uuid = session.bot_uuid)),
    session.launcher_type, session.launcher_id, said.sender_id, said.role, said.content, said.chain, session.session_key,
    said.turn_id, said.source_kind, said.source_ref, said.type, said.payload, said.metadata,
    (SELECT seq::int FROM (SELECT ${turnSeq} AS seq) turn_number WHERE seq <= 2147483647), instant, instant
  FROM session, clock_timestamp() AS instant, jsonb_to_record(${parameter}::jsonb) AS said (pipeline_uuid text,
    sender_id text, role text, content text, chain jsonb, turn_id uuid, source_kind text, source_ref text, type text,
    payload jsonb, metadata jsonb)
  RETURNING ${MESSAGE}, message_event(message_history) AS event`

/** A message as `storeMessage` takes it. */
export function messageParameter(message: NewMessage): string {
  const content = storableText(message.content)
  return storableJson({
    pipeline_uuid: message.pipelineUuid ?? null,
    sender_id: message.senderId,
    role: message.role,
    content,
    chain: message.chain ?? [{ type: 'Plain', text: content }],
    turn_id: message.turnId ?? null,
    source_kind: message.sourceKind,
    source_ref: message.sourceRef ?? null,
    type: message.type ?? 'text',
    payload: message.payload ?? null,
    metadata: message.metadata ?? {},
  })
}

/** What the assistant says on an outside channel is on its way with the same commit. The session must be locked. */
export async function insertMessage(db: Queryable, session: Session, message: NewMessage): Promise<StoredMessage> {
  const { rows } = await db.query<StoredMessage>(
    `WITH session AS (SELECT ${SESSION} FROM sessions WHERE session_key = $1) ${storeMessage('$2')}`,
    [session.sessionKey, messageParameter(message)],
  )
  const stored = rows[0]!
  const leaves = message.role === 'assistant' && session.channel !== 'web' && message.deliver !== false
  if (leaves) await insertDelivery(db, session, { messageId: stored.id })
  return stored
}

export const messageEvent = ({ event }: StoredMessage): NewEvent => ({ name: 'message', data: event })
