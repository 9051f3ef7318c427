import type { Pool } from 'pg'
import { PENDING_LIMIT_PER_SESSION } from '../../contracts/scheduled-message'
import type { ScheduledMessage } from '../../contracts/scheduled-message'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import type { TurnFence } from '../session-writes'
import { storableText } from '../storable'
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
  turn?: TurnFence
}

export type CreateOutcome =
  { state: 'created'; message: ScheduledMessage; cancelledIds: string[] } | { state: 'too_many_pending' }

/** Row, outbox entry, event and the cancelled older rows are one transaction; Temporal is told afterwards. */
export function createScheduledMessage(pool: Pool, input: NewScheduledMessage): Promise<CreateOutcome> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, input.sessionKey, input.turn)
    const replaced = input.replaceExisting
      ? await cancelPendingRows(db, { sessionKey: input.sessionKey, reason: 'replaced', toolCallId: input.toolCallId })
      : []
    const row = await insertRow(db, input)
    if (!row) return tooMany(replaced)
    await appendEvents(db, session.sessionKey, [...replaced, row].map(promiseEvent))
    return { state: 'created', message: toScheduledMessage(row), cancelledIds: replaced.map(({ id }) => id) }
  })
}

/** With replacement nothing is pending any more, so the limit can only be met without it, and nothing was changed. */
function tooMany(replaced: ScheduledMessageRow[]): CreateOutcome {
  if (replaced.length > 0) throw new Error('a replaced session cannot be full')
  return { state: 'too_many_pending' }
}

async function insertRow(db: Queryable, input: NewScheduledMessage): Promise<ScheduledMessageRow | undefined> {
  const { rows } = await db.query<ScheduledMessageRow>(
    `WITH created AS (
       INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone,
         status, replace_existing, created_by_tool_call_id)
       SELECT $1, session_key, bot_uuid, channel, 'private', $3, $4, $5, 'pending', $6, $7
       FROM sessions WHERE session_key = $2 AND (
         SELECT count(*) FROM scheduled_messages WHERE session_id = $2 AND status = 'pending') < $8
       RETURNING *
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
    ],
  )
  return rows[0]
}
