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
 * follows is driven by the rows which the update really changed, so a cancel that came first has won.
 */
const SWEEP = `
WITH locked AS (
  SELECT session_key FROM sessions
  WHERE deleted_at IS NULL AND session_key IN (
    SELECT session_id FROM scheduled_messages
    WHERE status = 'pending' AND channel = 'web' AND chat_type = 'private' AND send_at_ts <= now()
    ORDER BY send_at_ts LIMIT $1)
  ORDER BY session_key FOR UPDATE SKIP LOCKED
), sent AS (
  UPDATE scheduled_messages m
  SET status = 'sent', sent_message_id = nextval('message_history_id_seq'), sent_at_ts = clock_timestamp(),
    late_by_ms = least(2147483647, round(1000 * extract(epoch FROM clock_timestamp() - send_at_ts))),
    attempts = attempts + 1, updated_at_ts = now()
  FROM locked
  WHERE m.session_id = locked.session_key AND m.status = 'pending' AND m.channel = 'web' AND m.chat_type = 'private'
    AND m.send_at_ts <= now()
  RETURNING m.*
), bumped AS (
  UPDATE sessions s SET event_seq = s.event_seq + 2 * share.messages, updated_at = now()
  FROM (SELECT session_id, count(*) AS messages FROM sent GROUP BY session_id) share
  WHERE s.session_key = share.session_id
  RETURNING s.*, s.event_seq - 2 * share.messages AS base
), stored AS (
  INSERT INTO message_history (id, bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
    message_content, message_chain, session_key, source_kind, source_ref, metadata, created_at)
  SELECT sent.sent_message_id, b.bot_uuid, b.pipeline_uuid, b.launcher_type, b.launcher_id, b.bot_uuid, 'assistant',
    sent.message_text, jsonb_build_array(jsonb_build_object('type', 'Plain', 'text', sent.message_text)), b.session_key,
    'scheduled_send', 'scheduled_message:' || sent.id,
    jsonb_build_object('scheduled_message_id', sent.id, 'late_by_ms', sent.late_by_ms), sent.sent_at_ts
  FROM sent JOIN bumped b ON b.session_key = sent.session_id
  ORDER BY sent.sent_message_id
), numbered AS (
  SELECT sent.*, b.base, row_number() OVER (PARTITION BY sent.session_id ORDER BY sent.sent_message_id) AS position
  FROM sent JOIN bumped b ON b.session_key = sent.session_id
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data)
  SELECT session_id, base + 2 * position - 1, 'message', jsonb_build_object('id', sent_message_id, 'role', 'assistant',
    'content', message_text, 'type', 'text', 'payload', NULL, 'source_kind', 'scheduled_send',
    'metadata', jsonb_build_object('scheduled_message_id', id, 'late_by_ms', late_by_ms),
    'created_at', to_char(sent_at_ts AT TIME ZONE 'UTC', ${ISO}), 'turn_id', NULL) FROM numbered
  UNION ALL
  SELECT session_id, base + 2 * position, 'promise', jsonb_build_object('kind', 'scheduled_message', 'id', id,
    'state', 'sent', 'due_at', to_char(send_at_ts AT TIME ZONE 'UTC', ${ISO}),
    'summary', left(message_text, ${SUMMARY_CHARACTERS}), 'late_by_ms', late_by_ms) FROM numbered
)
SELECT sent.id, sent.late_by_ms
FROM sent JOIN (SELECT session_key, pg_notify('${SESSION_CHANNEL}', session_key) FROM bumped) woken
  ON woken.session_key = sent.session_id`

export async function sweepDueMessages(pool: Pool, limit: number): Promise<SweptMessage[]> {
  const { rows } = await pool.query<SweptMessage>(SWEEP, [limit])
  return rows
}
