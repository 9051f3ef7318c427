import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { cancelWorkflows } from '../../engine/outbox-store'
import { insertDelivery } from '../../engine/outgoing-line'
import { appendEvents, lockSession, lockSessionIfThere } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { conflict } from '../../errors'
import { MOST_REPEATS, PENDING_LIMIT_PER_SESSION, scheduledMessageWorkflowId } from '../contract'
import type { DueOutcome, ScheduledMessage } from '../contract'
import { cancelPendingRows } from './cancel'
import { lockPromised, storeSent } from './deliver'
import { insertScheduledMessage } from './insert'
import { findScheduledMessage } from './read'
import { CHANGED, promiseEvent, toChangedMessage } from './rows'
import type { ChangedRow } from './rows'

export interface FollowUpRequest {
  sessionKey: string
  /** The message that was sent, or one that said it again. */
  id: string
  turn?: TurnFence
}

export interface SnoozeRequest extends FollowUpRequest {
  until: Date
  toolCallId?: string | null
}

/** `lost` is one that somebody else has settled before, or that was never sent: `message` says how it stands. */
export type FollowUpOutcome =
  | { state: 'won'; message: ScheduledMessage; next: ScheduledMessage | null }
  | { state: 'lost'; message: ScheduledMessage | null }

/** What may still be snoozed or acknowledged. */
const OPEN = `status = 'sent' AND (follow_up IS NULL OR follow_up IN ('repeating', 'unanswered'))`

/**
 * The conditional update that decides between snooze, done, the next time it is said, and a cancel: whoever finds it open has
 * won. The session must be locked. The workflow that would say it again is asked to end with the same commit.
 */
async function settle(
  db: Queryable,
  { sessionKey, id }: FollowUpRequest,
  followUp: 'snoozed' | 'acknowledged',
): Promise<ChangedRow | undefined> {
  // What was put off may still be done: then it does not come again.
  const open = followUp === 'acknowledged' ? `(${OPEN} OR (status = 'sent' AND follow_up = 'snoozed'))` : OPEN
  const { rows } = await db.query<ChangedRow>(
    `UPDATE scheduled_messages SET follow_up = $3, followed_up_at = now(), next_repeat_at = NULL, updated_at_ts = now()
     WHERE session_id = $1 AND ${open}
       AND id = (SELECT coalesce(repeat_of, id) FROM scheduled_messages WHERE id = $2)
     RETURNING ${CHANGED}`,
    [sessionKey, id, followUp],
  )
  const [row] = rows
  if (!row) return undefined
  if (row.repeatSeconds !== null) await cancelWorkflows(db, [scheduledMessageWorkflowId(row.id)])
  await appendEvents(db, sessionKey, [promiseEvent(row)])
  return row
}

/** What is on its way to be said again, or was put off, does not come any more. The session must be locked. */
async function cancelFollowers(db: Queryable, sessionKey: string, id: string): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM scheduled_messages WHERE session_id = $1 AND status = 'pending' AND (repeat_of = $2 OR snoozed_from = $2)`,
    [sessionKey, id],
  )
  for (const follower of rows) {
    const cancelled = await cancelPendingRows(db, { sessionKey, id: follower.id, reason: 'done' })
    if (cancelled.length > 0) await appendEvents(db, sessionKey, cancelled.map(promiseEvent))
  }
}

/** The person has done what they were reminded of: it is said no more. */
export function acknowledge(pool: Pool, request: FollowUpRequest): Promise<FollowUpOutcome> {
  return inTransaction(pool, async (db) => {
    await lockSession(db, request.sessionKey, request.turn)
    const row = await settle(db, request, 'acknowledged')
    if (!row) return { state: 'lost', message: await rootOf(db, request) }
    await cancelFollowers(db, request.sessionKey, row.id)
    return { state: 'won', message: toChangedMessage(row), next: null }
  })
}

/** Puts it off: the same words come again then, as a message of their own. */
export function snooze(pool: Pool, request: SnoozeRequest): Promise<FollowUpOutcome> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, request.sessionKey, request.turn)
    const row = await settle(db, request, 'snoozed')
    if (!row) return { state: 'lost', message: await rootOf(db, request) }
    await cancelFollowers(db, request.sessionKey, row.id)
    const next = await insertScheduledMessage(db, {
      id: uuidv7(),
      sessionKey: request.sessionKey,
      messageText: row.messageText,
      chain: row.chain ?? undefined,
      sendAt: request.until,
      timezone: session.timezone,
      replaceExisting: false,
      toolCallId: request.toolCallId ?? null,
      urgent: row.urgent,
      repeatSeconds: row.repeatSeconds,
      snoozedFrom: row.id,
      sourceKind: 'scheduled_send',
      limit: PENDING_LIMIT_PER_SESSION,
    })
    if (!next) throw conflict('too_many_pending', 'this chat has as many messages pending as it may', 'Cancel some.')
    await appendEvents(db, request.sessionKey, [promiseEvent(next)])
    return { state: 'won', message: toChangedMessage(row), next: toChangedMessage(next) }
  })
}

async function rootOf(db: Queryable, { sessionKey, id }: FollowUpRequest): Promise<ScheduledMessage | null> {
  const found = await findScheduledMessage(db, id)
  const root = found?.repeatOf ? await findScheduledMessage(db, found.repeatOf) : found
  return root?.sessionId === sessionKey ? root : null
}

/** Says it again if it is due again and nobody has settled it; quiet hours move it to their end. */
export function repeatMessage(pool: Pool, id: string): Promise<DueOutcome> {
  return inTransaction(pool, async (db) => {
    const found = await db.query<{ sessionId: string }>('SELECT session_id FROM scheduled_messages WHERE id = $1', [id])
    if (!found.rows[0]) return { state: 'gone' }
    const session = await lockSessionIfThere(db, found.rows[0].sessionId)
    if (!session) return { state: 'gone' }
    await moveOutOfQuiet(db, id)
    const { rows } = await db.query<ChangedRow>(
      `UPDATE scheduled_messages SET repeats = repeats + 1, updated_at_ts = now(),
         follow_up = CASE WHEN repeats + 1 < ${MOST_REPEATS} THEN 'repeating' ELSE 'unanswered' END,
         next_repeat_at = CASE WHEN repeats + 1 < ${MOST_REPEATS} THEN now() + make_interval(secs => repeat_seconds) END
       WHERE id = $1 AND follow_up = 'repeating' AND next_repeat_at <= now() RETURNING ${CHANGED}`,
      [id],
    )
    const [row] = rows
    if (row) {
      await sayAgain(db, session, row)
      if (row.followUp === 'unanswered') await appendEvents(db, session.sessionKey, [promiseEvent(row)])
    }
    return nextOutcome(db, id)
  })
}

async function moveOutOfQuiet(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE scheduled_messages m SET next_repeat_at = quiet.until, updated_at_ts = now()
     FROM (SELECT quiet_until(m.next_repeat_at, s.timezone, s.quiet_start, s.quiet_end) AS until
       FROM scheduled_messages m JOIN sessions s ON s.session_key = m.session_id WHERE m.id = $1 AND NOT m.urgent) quiet
     WHERE m.id = $1 AND m.next_repeat_at <= now() AND quiet.until IS NOT NULL`,
    [id],
  )
}

/** One more message with the same words: a row of its own, so that each time is sent once, with its own receipt. */
async function sayAgain(
  db: Queryable,
  session: Awaited<ReturnType<typeof lockSession>>,
  row: ChangedRow,
): Promise<void> {
  const id = uuidv7()
  await db.query(
    `INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, message_chain,
       pipeline_uuid, send_at_ts, timezone, status, replace_existing, urgent, source_kind, repeat_of, repeats)
     SELECT $2, session_id, bot_uuid, channel, chat_type, message_text, message_chain, pipeline_uuid, now(), timezone,
       'pending', false, urgent, source_kind, id, repeats FROM scheduled_messages WHERE id = $1`,
    [row.id, id],
  )
  if (session.channel !== 'web') {
    await insertDelivery(db, session, { scheduledMessageId: id, attempts: 0, possibleDuplicate: false })
    return
  }
  const again = await lockPromised(db, id)
  await db.query('UPDATE scheduled_messages SET attempts = 1 WHERE id = $1', [id])
  await storeSent(db, session, again!.row)
}

/** How long until it is said again, or what became of it. */
export async function nextOutcome(db: Queryable, id: string): Promise<DueOutcome> {
  const { rows } = await db.query<{
    status: ScheduledMessage['status']
    followUp: ScheduledMessage['followUp']
    waitMs: number | null
    dueAtMs: number | null
    number: number
  }>(
    // One that its delivery has not brought yet is looked at after as long as it would wait then.
    `SELECT status, follow_up, repeats + 1 AS number,
       greatest(1, ceil(1000 * extract(epoch FROM next - clock_timestamp())))::float8 AS wait_ms,
       round(1000 * extract(epoch FROM next))::float8 AS due_at_ms
     FROM scheduled_messages CROSS JOIN LATERAL (SELECT CASE status WHEN 'pending'
       THEN clock_timestamp() + make_interval(secs => repeat_seconds) ELSE next_repeat_at END) AS coming (next) WHERE id = $1`,
    [id],
  )
  const [row] = rows
  if (!row) return { state: 'gone' }
  const { status, followUp, waitMs, dueAtMs, number } = row
  if (waitMs !== null && dueAtMs !== null) return { state: 'repeats', waitMs, dueAtMs, number }
  return { state: followUp ?? (status === 'pending' ? 'handed_over' : status) }
}

/** A reminder of the last day is what people mean when they say "later" or "done". */
const LATELY = `interval '24 hours'`

/**
 * The reminder that is meant: the one that the person's message of this turn answers, else the last that was sent. What was
 * snoozed or done already is not meant.
 */
export async function findLastSent(pool: Pool, sessionKey: string, turnId?: string): Promise<ScheduledMessage | null> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH answered AS (
       SELECT d.scheduled_message_id AS id FROM message_history m
         CROSS JOIN LATERAL jsonb_array_elements(m.message_chain) part
         JOIN deliveries d ON d.session_key = m.session_key AND part ->> 'id' = ANY (d.platform_message_ids)
       WHERE m.session_key = $1 AND m.turn_id = $2::uuid AND m.message_role = 'user' AND part ->> 'type' = 'Quote'
         AND d.scheduled_message_id IS NOT NULL LIMIT 1
     ), last AS (
       SELECT id FROM scheduled_messages WHERE session_id = $1 AND source_kind = 'scheduled_send' AND repeat_of IS NULL
         AND ${OPEN} AND sent_at_ts > now() - ${LATELY}
       ORDER BY sent_at_ts DESC LIMIT 1
     )
     SELECT coalesce(m.repeat_of, m.id) AS id FROM scheduled_messages m
     WHERE m.id = coalesce((SELECT id FROM answered), (SELECT id FROM last))`,
    [sessionKey, turnId ?? null],
  )
  return rows[0] ? findScheduledMessage(pool, rows[0].id) : null
}
