import type { Pool } from 'pg'
import { SESSION_CHANNEL } from '../../contracts/event'
import { SUMMARY_CHARACTERS } from './rows'

export interface SweptMessage {
  id: string
  late_by_ms: number
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/**
 * Sends every web message that is due in one statement: the rows, their history, their events and the wake-ups.
 * Sessions are locked first, like everywhere; one that is busy is skipped and served by its own workflow. All that
 * follows is driven by the rows which the update really changed, so a cancel that came first has won. What is known of a
 * session travels with its messages, and the messages are found again by their key (`coalesce` keeps the planner from the
 * index of the pending ones): without fresh statistics it takes a herd for a single row, and any join other than by a
 * key costs the square of it.
 */
const SWEEP = `
WITH locked AS (
  SELECT m.id AS message_id, s.session_key, s.bot_uuid, s.pipeline_uuid, s.launcher_type, s.launcher_id, s.event_seq
  FROM scheduled_messages m JOIN sessions s ON s.session_key = m.session_id
  WHERE m.status = 'pending' AND m.channel = 'web' AND m.chat_type = 'private' AND m.send_at_ts <= now()
    AND s.deleted_at IS NULL
  ORDER BY m.send_at_ts, m.id LIMIT $1 FOR UPDATE OF s SKIP LOCKED
), sent AS (
  UPDATE scheduled_messages m
  SET status = 'sent', sent_message_id = nextval('message_history_id_seq'), sent_at_ts = clock_timestamp(),
    late_by_ms = least(2147483647, round(1000 * extract(epoch FROM clock_timestamp() - send_at_ts))),
    attempts = attempts + 1, updated_at_ts = now()
  FROM locked
  WHERE m.id = locked.message_id AND coalesce(m.status, '') = 'pending' AND m.channel = 'web' AND m.chat_type = 'private'
    AND m.send_at_ts <= now()
  RETURNING m.id, m.message_text, m.send_at_ts, m.sent_message_id, m.sent_at_ts, m.late_by_ms, locked.*
), numbered AS (
  SELECT *, row_number() OVER (PARTITION BY session_key ORDER BY sent_message_id) AS position FROM sent
), bumped AS (
  UPDATE sessions s SET event_seq = s.event_seq + 2 * share.messages, updated_at = now()
  FROM (SELECT session_key, count(*) AS messages FROM sent GROUP BY session_key) share
  WHERE s.session_key = share.session_key
), stored AS (
  INSERT INTO message_history (id, bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
    message_content, message_chain, session_key, source_kind, source_ref, metadata, created_at)
  SELECT sent_message_id, bot_uuid, pipeline_uuid, launcher_type, launcher_id, bot_uuid, 'assistant',
    message_text, jsonb_build_array(jsonb_build_object('type', 'Plain', 'text', message_text)), session_key,
    'scheduled_send', 'scheduled_message:' || id,
    jsonb_build_object('scheduled_message_id', id, 'late_by_ms', late_by_ms), sent_at_ts
  FROM sent
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data)
  SELECT session_key, event_seq + 2 * position - 1, 'message', jsonb_build_object('id', sent_message_id,
    'role', 'assistant', 'content', message_text, 'type', 'text', 'payload', NULL, 'source_kind', 'scheduled_send',
    'metadata', jsonb_build_object('scheduled_message_id', id, 'late_by_ms', late_by_ms),
    'created_at', to_char(sent_at_ts AT TIME ZONE 'UTC', ${ISO}), 'turn_id', NULL) FROM numbered
  UNION ALL
  SELECT session_key, event_seq + 2 * position, 'promise', jsonb_build_object('kind', 'scheduled_message', 'id', id,
    'state', 'sent', 'due_at', to_char(send_at_ts AT TIME ZONE 'UTC', ${ISO}),
    'summary', left(message_text, ${SUMMARY_CHARACTERS}), 'late_by_ms', late_by_ms) FROM numbered
)
SELECT id, late_by_ms, CASE WHEN position = 1 THEN pg_notify('${SESSION_CHANNEL}', session_key) END AS woken
FROM numbered`

export async function sweepDueMessages(pool: Pool, limit: number): Promise<SweptMessage[]> {
  const { rows } = await pool.query<SweptMessage>(SWEEP, [limit])
  return rows
}
