-- What becomes of a reminder after it was sent: said again until it is done, put off, or done.
ALTER TABLE scheduled_messages
  ADD COLUMN repeat_seconds integer,
  ADD COLUMN repeats integer NOT NULL DEFAULT 0,
  ADD COLUMN next_repeat_at timestamptz(3),
  ADD COLUMN follow_up varchar(20),
  ADD COLUMN followed_up_at timestamptz(3),
  ADD COLUMN repeat_of uuid,
  ADD COLUMN snoozed_from uuid;

-- One message for each time that it is said again, and one for each time that it is put off.
CREATE UNIQUE INDEX scheduled_messages_repeat_of_repeats_key ON scheduled_messages (repeat_of, repeats);
CREATE UNIQUE INDEX scheduled_messages_snoozed_from_key ON scheduled_messages (snoozed_from);
-- The few that wait to be said again.
CREATE INDEX scheduled_messages_repeating ON scheduled_messages (next_repeat_at) WHERE next_repeat_at IS NOT NULL;

-- Which of its buttons a person has pressed, where a platform has buttons.
ALTER TABLE inbound_messages ADD COLUMN action varchar(255);

-- How a promise stands for who watches: what became of it after it was sent is told as a state of its own.
CREATE OR REPLACE FUNCTION promise_event(m scheduled_messages) RETURNS jsonb LANGUAGE sql STABLE
RETURN promise_event('scheduled_message', (m).id::text,
  CASE WHEN (m).follow_up IS NULL OR (m).follow_up = 'repeating' THEN (m).status ELSE (m).follow_up END,
  comes_at(m), (m).message_text, (m).late_by_ms,
  CASE WHEN comes_at(m) <> (m).send_at_ts THEN coalesce((m).deferred_from, (m).send_at_ts) ELSE (m).deferred_from END)
  || CASE WHEN (m).next_repeat_at IS NULL THEN '{}' ELSE jsonb_build_object('next_repeat_at', iso_instant((m).next_repeat_at)) END
  || CASE WHEN (m).repeat_of IS NULL THEN '{}' ELSE jsonb_build_object('repeat_of', (m).repeat_of) END
  || CASE WHEN (m).snoozed_from IS NULL THEN '{}' ELSE jsonb_build_object('snoozed_from', (m).snoozed_from) END;
