import type { Pool } from 'pg'
import { SESSION_CHANNEL } from '../../contracts/event'

export interface SweptMessage {
  id: string
  /** `pending` when quiet hours have moved it. */
  status: 'sent' | 'pending'
  lateByMs: number | null
}

/**
 * Sends every web message that is due in one statement: the rows, their history, their events and the wake-ups. One that
 * falls into quiet hours is moved to their end instead.
 * Sessions are locked first, like everywhere; one that is busy is skipped and served by its own workflow. All that
 * follows is driven by the rows which the update really changed, so a cancel that came first has won. What is known of a
 * session travels with its messages, and the messages are found again by their key (`coalesce` keeps the planner from the
 * index of the pending ones): without fresh statistics it takes a burst for a single row, and any join other than by a
 * key costs the square of it.
 */
const SWEEP = `
WITH locked AS (
  SELECT m.id AS message_id, s.session_key, s.bot_uuid, s.launcher_type, s.launcher_id, s.event_seq,
    coalesce(m.pipeline_uuid, s.pipeline_uuid, (SELECT b.pipeline_uuid FROM bots b WHERE b.uuid = s.bot_uuid)) AS pipeline,
    CASE WHEN s.quiet_start IS NOT NULL AND NOT m.urgent
      THEN quiet_until(m.send_at_ts, s.timezone, s.quiet_start, s.quiet_end) END AS quiet_until
  FROM scheduled_messages m JOIN sessions s ON s.session_key = m.session_id
  WHERE m.status = 'pending' AND m.channel = 'web' AND (m.chat_type = 'private' OR m.source_kind = 'push')
    AND m.send_at_ts <= now() AND s.deleted_at IS NULL
  ORDER BY m.send_at_ts, m.id LIMIT $1 FOR UPDATE OF s SKIP LOCKED
), settled AS (
  UPDATE scheduled_messages m
  SET status = CASE WHEN quiet_until IS NULL THEN 'sent' ELSE 'pending' END,
    sent_message_id = CASE WHEN quiet_until IS NULL THEN nextval('message_history_id_seq') END,
    sent_at_ts = CASE WHEN quiet_until IS NULL THEN clock_timestamp() END,
    late_by_ms = CASE WHEN quiet_until IS NULL THEN late_ms(send_at_ts) END,
    attempts = attempts + CASE WHEN quiet_until IS NULL THEN 1 ELSE 0 END,
    send_at_ts = coalesce(quiet_until, send_at_ts),
    deferred_from = CASE WHEN quiet_until IS NULL THEN deferred_from ELSE coalesce(deferred_from, send_at_ts) END,
    next_repeat_at = CASE WHEN quiet_until IS NULL THEN clock_timestamp() + make_interval(secs => repeat_seconds) END,
    follow_up = CASE WHEN quiet_until IS NULL AND repeat_seconds IS NOT NULL THEN 'repeating' END,
    updated_at_ts = now()
  FROM locked
  WHERE m.id = locked.message_id AND coalesce(m.status, '') = 'pending' AND m.channel = 'web' AND m.send_at_ts <= now()
  RETURNING m.id, m.status, m.message_text, m.message_chain, m.source_kind, m.send_at_ts, m.sent_message_id, m.sent_at_ts,
    m.late_by_ms, m.deferred_from, promise_event(m) AS event, locked.*
), numbered AS (
  SELECT *, row_number() OVER in_session AS place,
    event_seq + sum(CASE WHEN sent_message_id IS NULL THEN 1 ELSE 2 END) OVER in_session AS last_seq,
    coalesce(message_chain, jsonb_build_array(jsonb_build_object('type', 'Plain', 'text', message_text))) AS chain,
    jsonb_strip_nulls(jsonb_build_object('scheduled_message_id', id, 'late_by_ms', late_by_ms,
      'deferred_from', iso_instant(deferred_from))) AS metadata
  FROM settled WINDOW in_session AS (PARTITION BY session_key ORDER BY sent_message_id, id)
), bumped AS (
  UPDATE sessions s SET event_seq = s.event_seq + share.events, updated_at = now()
  FROM (SELECT session_key, sum(CASE WHEN sent_message_id IS NULL THEN 1 ELSE 2 END) AS events
    FROM settled GROUP BY session_key) share
  WHERE s.session_key = share.session_key
), stored AS (
  INSERT INTO message_history (id, bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
    message_content, message_chain, session_key, source_kind, source_ref, metadata, created_at, updated_at)
  SELECT sent_message_id, bot_uuid, pipeline, launcher_type, launcher_id, bot_uuid, 'assistant', message_text,
    chain, session_key, source_kind, 'scheduled_message:' || id, metadata, sent_at_ts, sent_at_ts
  FROM numbered WHERE sent_message_id IS NOT NULL
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data)
  SELECT session_key, last_seq - 1, 'message', message_event(sent_message_id, 'assistant', message_text, chain, 'text',
    NULL, source_kind, metadata, sent_at_ts, NULL)
  FROM numbered WHERE sent_message_id IS NOT NULL
  UNION ALL
  SELECT session_key, last_seq, 'promise', event FROM numbered
)
SELECT id, status, late_by_ms, CASE WHEN place = 1 THEN pg_notify('${SESSION_CHANNEL}', session_key) END AS woken
FROM numbered`

export async function sweepDueMessages(pool: Pool, limit: number): Promise<SweptMessage[]> {
  const { rows } = await pool.query<SweptMessage>(SWEEP, [limit])
  return rows
}
