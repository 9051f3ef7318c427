import type { Pool } from 'pg'

/** Every way in which rows, history and events could tell different stories; none of them may answer a row. */
const CONTRADICTIONS = {
  'a sent message has one history row with its text, another has none': `
    SELECT m.id FROM scheduled_messages m
    LEFT JOIN message_history h ON h.source_ref = 'scheduled_message:' || m.id
    GROUP BY m.id HAVING count(h.id) <> (CASE WHEN m.status = 'sent' THEN 1 ELSE 0 END)
      OR bool_or(h.id <> m.sent_message_id OR h.message_content <> m.message_text OR h.session_key <> m.session_id)`,
  'a message ends once, and the stream shows it once': `
    SELECT m.id FROM scheduled_messages m
    LEFT JOIN session_events e ON e.session_key = m.session_id AND e.name = 'promise' AND e.data->>'id' = m.id::text
      AND e.data->>'state' = m.status AND e.data->>'state' IN ('sent', 'cancelled')
    WHERE m.cancel_reason IS DISTINCT FROM 'session deleted' -- A deleted session has no stream.
    GROUP BY m.id HAVING count(e.seq) <> (CASE WHEN m.status IN ('sent', 'cancelled') THEN 1 ELSE 0 END)`,
  'the stream shows no end that did not happen': `
    SELECT m.id FROM scheduled_messages m JOIN session_events e ON e.session_key = m.session_id AND e.name = 'promise'
    WHERE e.data->>'id' = m.id::text AND e.data->>'state' IN ('sent', 'cancelled') AND e.data->>'state' <> m.status`,
  'the events of a session are numbered without a gap': `
    SELECT session_key FROM session_events GROUP BY session_key
    HAVING min(seq) <> 1 OR max(seq) <> count(*)`,
  'nothing was sent before it was due': `SELECT id FROM scheduled_messages WHERE sent_at_ts < send_at_ts`,
}

export async function findContradictions(pool: Pool): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const [rule, sql] of Object.entries(CONTRADICTIONS)) {
    const { rows } = await pool.query<object>(sql)
    if (rows.length > 0) found[rule] = rows
  }
  return found
}
