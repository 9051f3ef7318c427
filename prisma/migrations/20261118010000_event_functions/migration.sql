-- What is told of rows has one shape, whether one row is written or a sweep writes thousands.

-- How late something that was due then is at this moment; never less than nothing, and never more than its column holds.
CREATE FUNCTION late_ms(due timestamptz) RETURNS integer LANGUAGE sql VOLATILE
RETURN least(2147483647, greatest(0, round(1000 * extract(epoch FROM clock_timestamp() - due))))::integer;

-- An instant as JavaScript writes it.
CREATE FUNCTION iso_instant(instant timestamptz) RETURNS text LANGUAGE sql STABLE
RETURN to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The data of a `message` event. A chain that is only its text is left out.
CREATE FUNCTION message_event(id integer, role text, content text, chain jsonb, type text, payload jsonb,
  source_kind text, metadata jsonb, created_at timestamptz, turn_id uuid) RETURNS jsonb LANGUAGE sql STABLE
RETURN jsonb_build_object('id', id, 'role', role, 'content', content,
  'message_chain', CASE WHEN jsonb_array_length(chain) <> 1 OR chain #>> '{0,type}' <> 'Plain' THEN chain END,
  'type', type, 'payload', payload, 'source_kind', source_kind, 'metadata', metadata,
  'created_at', iso_instant(created_at), 'turn_id', turn_id);

CREATE FUNCTION message_event(m message_history) RETURNS jsonb LANGUAGE sql STABLE
RETURN message_event((m).id, (m).message_role, (m).message_content, (m).message_chain, (m).type, (m).payload,
  (m).source_kind, (m).metadata, (m).created_at, (m).turn_id);

-- The data of a `promise` event. A promise is shown with the beginning of its text.
CREATE FUNCTION promise_event(kind text, id text, state text, due timestamptz, words text, late_by_ms integer,
  deferred_from timestamptz) RETURNS jsonb LANGUAGE sql STABLE
RETURN jsonb_build_object('kind', kind, 'id', id, 'state', state, 'due_at', iso_instant(due),
    'summary', left(words, 100), 'late_by_ms', late_by_ms)
  || CASE WHEN deferred_from IS NULL THEN '{}' ELSE jsonb_build_object('deferred_from', iso_instant(deferred_from)) END;

CREATE FUNCTION promise_event(m scheduled_messages) RETURNS jsonb LANGUAGE sql STABLE
RETURN promise_event('scheduled_message', (m).id::text, (m).status, (m).send_at_ts, (m).message_text, (m).late_by_ms,
  (m).deferred_from);
