import { SESSION_CHANNEL } from '../../contracts/event'
import type { Pool } from 'pg'
import type { Session } from '../session'
import { messageParameter, SESSION, storeMessage } from '../../engine/session-writes'
import { storableJson } from '../../engine/storable'
import { TURN_LEASE_SECONDS } from '../turn'
import type { NewTurn } from '../turn'
import { questionOf } from './chat-turn-hooks'
import type { Claim } from './start-turn'
import { NEXT_FENCE, turnEvent } from './turn-rows'

/**
 * A person's turn in an idle session: queued and started in one statement. Whatever changes a session's queue also numbers
 * an event, so the event number is the version of the queue that was looked at: if anybody wrote in the session between our
 * snapshot and our lock, or it is busy or deleted, nothing happens here and the careful way decides.
 */
const BEGIN = `
WITH seen AS MATERIALIZED (
  SELECT event_seq FROM sessions WHERE session_key = $2
    AND NOT EXISTS (SELECT 1 FROM turns WHERE session_key = $2 AND status = 'queued')
    AND NOT EXISTS (SELECT 1 FROM turns WHERE session_key = $2 AND status = 'running')
), session AS (
  UPDATE sessions SET ${NEXT_FENCE}, event_seq = sessions.event_seq + 3, updated_at = now() FROM seen
  WHERE session_key = $2 AND sessions.event_seq = seen.event_seq AND deleted_at IS NULL
  RETURNING ${SESSION}, turn_fence AS fence, sessions.event_seq
), turn AS (
  INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input, fence, started_at)
  SELECT $1, session_key, 'user', 'running', $3, now() + make_interval(secs => $4), $5, fence, now() FROM session
  RETURNING seq
), said AS (${storeMessage('$6', '(SELECT seq FROM turn)')}
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data)
  SELECT session_key, event_seq - 2, 'turn', $7::jsonb FROM session
  UNION ALL SELECT session_key, event_seq - 1, 'turn', $8::jsonb FROM session
  UNION ALL SELECT session.session_key, event_seq, 'message', event FROM session, said
)
SELECT ${SESSION.replaceAll('sessions.', '')}, fence, pg_notify('${SESSION_CHANNEL}', session_key) FROM session`

export async function beginTurn(pool: Pool, turn: NewTurn): Promise<Claim | undefined> {
  const { id, sessionKey, holder, input } = turn
  const values = [
    id,
    sessionKey,
    holder,
    TURN_LEASE_SECONDS,
    JSON.stringify(input),
    messageParameter(questionOf(turn)),
    storableJson(turnEvent(turn, 'queued', 'queued').data),
    storableJson(turnEvent(turn, 'started', 'running').data),
  ]
  const { rows } = await pool.query<Session & { fence: number; pgNotify: unknown }>(BEGIN, values)
  if (!rows[0]) return undefined
  const { fence, pgNotify: _told, ...session } = rows[0]
  return { state: 'running', fence, session }
}
