-- When a pending message will really come, by the quiet hours that are set now; of any other message when it was due.
CREATE FUNCTION comes_at(m scheduled_messages) RETURNS timestamptz LANGUAGE sql STABLE
RETURN CASE WHEN (m).status = 'pending' AND NOT (m).urgent THEN coalesce((
    SELECT quiet_until((m).send_at_ts, s.timezone, s.quiet_start, s.quiet_end) FROM sessions s
    WHERE s.session_key = (m).session_id AND s.quiet_start IS NOT NULL), (m).send_at_ts)
  ELSE (m).send_at_ts END;

-- A promise that quiet hours will keep back is shown with the time when it comes.
CREATE OR REPLACE FUNCTION promise_event(m scheduled_messages) RETURNS jsonb LANGUAGE sql STABLE
RETURN promise_event('scheduled_message', (m).id::text, (m).status, comes_at(m), (m).message_text, (m).late_by_ms,
  CASE WHEN comes_at(m) <> (m).send_at_ts THEN coalesce((m).deferred_from, (m).send_at_ts) ELSE (m).deferred_from END);
