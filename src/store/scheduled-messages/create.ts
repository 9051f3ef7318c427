import type { Pool } from 'pg'
import { PENDING_LIMIT_PER_SESSION } from '../../contracts/scheduled-message'
import type { ScheduledMessage } from '../../contracts/scheduled-message'
import type { Database, Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import type { TurnFence } from '../session-writes'
import { storableJson, storableText } from '../storable'
import { cancelPendingRows } from './cancel'
import { promiseEvent, toScheduledMessage } from './rows'
import type { ScheduledMessageRow } from './rows'

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
  | { state: 'created'; message: ScheduledMessage; cancelledIds: string[]; quietUntil: Date | null }
  | { state: 'too_many_pending' }

/** With the end of the quiet hours it would fall into by what is set now. */
type CreatedRow = ScheduledMessageRow & { quiet_until: Date | null }

/** Row, outbox entry, event and the cancelled older rows are one transaction; Temporal is told afterwards. */
export async function createScheduledMessage(
  { pool, wake }: Pick<Database, 'pool' | 'wake'>,
  input: NewScheduledMessage,
): Promise<CreateOutcome> {
  const row = input.replaceExisting ? undefined : await createAtOnce(pool, input)
  if (row) {
    wake(input.sessionKey)
    return { state: 'created', message: toScheduledMessage(row), cancelledIds: [], quietUntil: row.quiet_until }
  }
  return createUnderLock(pool, input)
}

const QUIET_UNTIL = `CASE WHEN NOT urgent THEN quiet_until(send_at_ts, zone, quiet_start, quiet_end) END AS quiet_until`

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
  RETURNING s.session_key, s.bot_uuid, s.channel, s.event_seq, s.timezone AS zone, s.quiet_start, s.quiet_end
), created AS (
  INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone,
    status, replace_existing, created_by_tool_call_id, urgent)
  SELECT $1, session_key, bot_uuid, channel, 'private', $3, $4, $5, 'pending', false, $6, $10 FROM session
  RETURNING *
), told AS (
  INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT 'start_scheduled_message', id, now() FROM created
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data) SELECT session_key, event_seq, 'promise', $9 FROM session
)
SELECT created.*, ${QUIET_UNTIL} FROM created, session`

async function createAtOnce(pool: Pool, input: NewScheduledMessage): Promise<CreatedRow | undefined> {
  const { id, sessionKey, sendAt, timezone, toolCallId, turn } = input
  const text = storableText(input.messageText)
  const draft = { id, status: 'pending' as const, send_at_ts: sendAt, message_text: text }
  const event = storableJson(promiseEvent({ ...draft, late_by_ms: null, deferred_from: null }).data)
  const { rows } = await pool.query<CreatedRow>({
    name: 'create-scheduled-message',
    text: CREATE,
    values: [
      ...[id, sessionKey, text, sendAt, timezone, toolCallId],
      ...[PENDING_LIMIT_PER_SESSION, turn?.fence ?? null, event, input.urgent ?? false],
    ],
  })
  return rows[0]
}

function createUnderLock(pool: Pool, input: NewScheduledMessage): Promise<CreateOutcome> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, input.sessionKey, input.turn)
    const replaced = input.replaceExisting
      ? await cancelPendingRows(db, {
          ...{ sessionKey: input.sessionKey, toolCallId: input.toolCallId },
          ...{ reason: 'replaced', sourceKind: 'scheduled_send' },
        })
      : []
    const row = await insertRow(db, input)
    if (!row) return tooMany(replaced)
    await appendEvents(db, session.sessionKey, [...replaced, row].map(promiseEvent))
    const cancelledIds = replaced.map(({ id }) => id)
    return { state: 'created', message: toScheduledMessage(row), cancelledIds, quietUntil: row.quiet_until }
  })
}

/** With replacement nothing is pending any more, so the limit can only be met without it, and nothing was changed. */
function tooMany(replaced: ScheduledMessageRow[]): CreateOutcome {
  if (replaced.length > 0) throw new Error('a replaced session cannot be full')
  return { state: 'too_many_pending' }
}

async function insertRow(db: Queryable, input: NewScheduledMessage): Promise<CreatedRow | undefined> {
  const { rows } = await db.query<CreatedRow>(
    `WITH created AS (
       INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone,
         status, replace_existing, created_by_tool_call_id, urgent)
       SELECT $1, session_key, bot_uuid, channel, 'private', $3, $4, $5, 'pending', $6, $7, $9
       FROM sessions WHERE session_key = $2 AND (
         SELECT count(*) FROM scheduled_messages
         WHERE session_id = $2 AND status = 'pending' AND source_kind = 'scheduled_send') < $8
       RETURNING *
     ), told AS (
       INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT 'start_scheduled_message', id, now() FROM created
     )
     SELECT created.*, ${QUIET_UNTIL}
     FROM created JOIN (SELECT session_key, timezone AS zone, quiet_start, quiet_end FROM sessions) s
       ON s.session_key = created.session_id`,
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
