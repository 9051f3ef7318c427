import type { Pool } from 'pg'
import { PENDING_LIMIT_PER_SESSION } from '../contract'
import type { ScheduledMessage } from '../contract'
import type { Database, Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, lockSession, lockSessionRow } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { storableText } from '../../engine/storable'
import { cancelPendingRows } from './cancel'
import { CHANGED, promiseEvent, READ, toChangedMessage, toScheduledMessage } from './rows'
import type { ChangedRow, ScheduledMessageRow } from './rows'

export interface NewScheduledMessage {
  id: string
  sessionKey: string
  messageText: string
  sendAt: Date
  timezone: string
  replaceExisting: boolean
  toolCallId: string | null
  /** Goes through quiet hours. */
  urgent?: boolean
  turn?: TurnFence
}

export type CreateOutcome =
  { state: 'created'; message: ScheduledMessage; cancelledIds: string[] } | { state: 'too_many_pending' }

/** Row, outbox entry, event and the cancelled older rows are one transaction; Temporal is told afterwards. */
export async function createScheduledMessage(
  { pool, wake }: Pick<Database, 'pool' | 'wake'>,
  input: NewScheduledMessage,
): Promise<CreateOutcome> {
  const row = input.replaceExisting ? undefined : await createAtOnce(pool, input)
  if (row) {
    wake(input.sessionKey)
    return { state: 'created', message: toChangedMessage(row), cancelledIds: [] }
  }
  return createUnderLock(pool, input)
}

/**
 * The usual case as one statement, one round trip. Whatever changes a session's pending messages also numbers an event,
 * so the event number is the version of what was counted: if anybody wrote in the session between our snapshot and our
 * lock, or it is full, deleted or lost to another turn, nothing happens here and the careful way decides.
 */
const CREATE = `
WITH seen AS MATERIALIZED (
  SELECT event_seq FROM sessions WHERE session_key = $2 AND (
    SELECT count(*) FROM scheduled_messages
    WHERE session_id = $2 AND status = 'pending' AND source_kind = 'scheduled_send') < $7
), session AS (
  UPDATE sessions s SET event_seq = s.event_seq + 1, updated_at = now() FROM seen
  WHERE s.session_key = $2 AND s.event_seq = seen.event_seq AND s.deleted_at IS NULL
    AND ($8::bigint IS NULL OR s.turn_fence = $8)
  RETURNING s.session_key, s.bot_uuid, s.channel, s.event_seq
), created AS (
  INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone,
    status, replace_existing, created_by_tool_call_id, urgent)
  SELECT $1, session_key, bot_uuid, channel, 'private', $3, $4, $5, 'pending', false, $6, $9 FROM session
  RETURNING ${CHANGED}
), told AS (
  INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT 'start_scheduled_message', id, now() FROM created
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data) 
  SELECT session_key, event_seq, 'promise', event FROM session, created
)
SELECT * FROM created`

async function createAtOnce(pool: Pool, input: NewScheduledMessage): Promise<ChangedRow | undefined> {
  const { id, sessionKey, sendAt, timezone, toolCallId, turn } = input
  const text = storableText(input.messageText)
  const { rows } = await pool.query<ChangedRow>({
    name: 'create-scheduled-message',
    text: CREATE,
    values: [
      id,
      sessionKey,
      text,
      sendAt,
      timezone,
      toolCallId,
      PENDING_LIMIT_PER_SESSION,
      turn?.fence ?? null,
      input.urgent ?? false,
    ],
  })
  return rows[0]
}

function createUnderLock(pool: Pool, input: NewScheduledMessage): Promise<CreateOutcome> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, input.sessionKey, input.turn)
    const replaced = input.replaceExisting
      ? await cancelPendingRows(db, {
          sessionKey: input.sessionKey,
          toolCallId: input.toolCallId,
          reason: 'replaced',
          sourceKind: 'scheduled_send',
        })
      : []
    const row = await insertRow(db, input)
    if (!row) return tooMany(replaced)
    await appendEvents(db, session.sessionKey, [...replaced, row].map(promiseEvent))
    const cancelledIds = replaced.map(({ id }) => id)
    return { state: 'created', message: toChangedMessage(row), cancelledIds }
  })
}

/** With replacement nothing is pending any more, so the limit can only be met without it, and nothing was changed. */
function tooMany(replaced: ChangedRow[]): CreateOutcome {
  if (replaced.length > 0) throw new Error('a replaced session cannot be full')
  return { state: 'too_many_pending' }
}

async function insertRow(db: Queryable, input: NewScheduledMessage): Promise<ChangedRow | undefined> {
  const { rows } = await db.query<ChangedRow>(
    `WITH created AS (
       INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone,
         status, replace_existing, created_by_tool_call_id, urgent)
       SELECT $1, session_key, bot_uuid, channel, 'private', $3, $4, $5, 'pending', $6, $7, $9
       FROM sessions WHERE session_key = $2 AND (
         SELECT count(*) FROM scheduled_messages
         WHERE session_id = $2 AND status = 'pending' AND source_kind = 'scheduled_send') < $8
       RETURNING ${CHANGED}
     ), told AS (
       INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT 'start_scheduled_message', id, now() FROM created
     )
     SELECT * FROM created`,
    [
      input.id,
      input.sessionKey,
      storableText(input.messageText),
      input.sendAt,
      input.timezone,
      input.replaceExisting,
      input.toolCallId,
      PENDING_LIMIT_PER_SESSION,
      input.urgent ?? false,
    ],
  )
  return rows[0]
}

/**
 * How a create ended of whose commit nobody heard: under the session's lock, which the create holds while it may still
 * commit. Undefined when nothing was stored.
 */
export function findCreated(pool: Pool, { id, sessionKey }: Pick<NewScheduledMessage, 'id' | 'sessionKey'>) {
  return inTransaction(pool, async (db): Promise<CreateOutcome | undefined> => {
    await lockSessionRow(db, sessionKey)
    const { rows } = await db.query<ScheduledMessageRow & { replaced: string[] }>(
      `SELECT ${READ}, ARRAY (
         SELECT other.id::text FROM scheduled_messages other WHERE other.session_id = $2 AND other.cancel_reason = 'replaced'
           AND other.status = 'cancelled' AND other.updated_at_ts = scheduled_messages.created_at_ts) AS replaced
       FROM scheduled_messages WHERE id = $1`,
      [id, sessionKey],
    )
    if (!rows[0]) return undefined
    const { replaced: cancelledIds, ...row } = rows[0]
    return { state: 'created', message: toScheduledMessage(row), cancelledIds }
  })
}
