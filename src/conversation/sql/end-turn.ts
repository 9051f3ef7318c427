import type { Pool } from 'pg'
import { SESSION_CHANNEL } from '../../contracts/event'
import type { HistoryMessage, NewMessage } from '../message'
import { TurnLostError } from '../../errors'
import type { RunEnding } from '../../automations/sql/end-run'
import type { Queryable } from '../../engine/database'
import {
  appendEvents,
  insertMessage,
  lockSession,
  MESSAGE,
  messageEvent,
  messageParameter,
  SESSION,
  storeMessage,
} from '../../engine/session-writes'
import type { StoredMessage, TurnFence } from '../../engine/session-writes'
import { storableJson } from '../../engine/storable'
import type { TurnHooksOf } from './turn-hooks'
import { changeTurn, NEXT_FENCE, turnEvent } from './turn-rows'

export interface TurnResult {
  status: 'succeeded' | 'failed'
  error?: string
  /** What stood behind the error, for the record of an automation's run. */
  errorDetail?: string
  message: NewMessage
  /** How the run of an automation's turn ended. */
  runState?: RunEnding['state']
}

/**
 * Stores the answer and ends the turn; the fence moves on, so that a tool that outlived its turn changes nothing. Who
 * never heard of the commit may ask again and gets what was stored then.
 */
export async function endTurn(
  db: Queryable,
  sessionKey: string,
  { turnId, fence, result }: TurnFence & { result: TurnResult },
  hooks: TurnHooksOf,
): Promise<HistoryMessage> {
  const session = await lockSession(db, sessionKey)
  const { status: to, error } = result
  const turn = await changeTurn(db, { id: turnId, from: 'running', fence, to, error })
  if (!turn) return findAnswer(db, sessionKey, { turnId, fence })
  // Whoever asked over HTTP reads the answer there.
  const deliver = turn.origin !== 'user' || turn.input.viaChannel === true
  const message = await insertMessage(db, session, { ...result.message, turnId, deliver })
  const told = await hooks[turn.origin].onEnd(db, session, { turn, result, message })
  await appendEvents(db, sessionKey, [messageEvent(message), ...told, turnEvent(turn, 'ended', to)])
  return message
}

/**
 * The usual end as one statement: a person's turn whose answer leaves for no platform. Under its own fence nobody else can
 * have changed the turn; whatever is not as usual changes nothing here, and the careful way decides.
 */
const END = `
WITH session AS (
  UPDATE sessions SET ${NEXT_FENCE}, event_seq = event_seq + 2, updated_at = now()
  WHERE session_key = $1 AND turn_fence = $2 AND deleted_at IS NULL AND EXISTS (
    SELECT 1 FROM turns WHERE id = $3 AND status = 'running' AND fence = $2 AND origin = 'user'
      AND (sessions.channel = 'web' OR (input -> 'viaChannel') IS DISTINCT FROM 'true'::jsonb))
  RETURNING ${SESSION}, event_seq
), turn AS (
  UPDATE turns SET status = $4, error = $5, ended_at = now() FROM session WHERE id = $3 RETURNING seq
), said AS (${storeMessage('$6', '(SELECT seq FROM turn)')}
), shown AS (
  INSERT INTO session_events (session_key, seq, name, data)
  SELECT session.session_key, event_seq - 1, 'message', event FROM session, said
  UNION ALL SELECT session_key, event_seq, 'turn', $7::jsonb FROM session
)
SELECT said.*, pg_notify('${SESSION_CHANNEL}', said.session_key) FROM said`

export async function endTurnAtOnce(
  pool: Pool,
  sessionKey: string,
  { turnId, fence, result }: TurnFence & { result: TurnResult },
): Promise<HistoryMessage | undefined> {
  const ended = turnEvent({ id: turnId, origin: 'user' }, 'ended', result.status)
  const message = messageParameter({ ...result.message, turnId })
  const values = [sessionKey, fence, turnId, result.status, result.error ?? null, message, storableJson(ended.data)]
  const { rows } = await pool.query<StoredMessage>(END, values)
  return rows[0]
}

async function findAnswer(db: Queryable, sessionKey: string, { turnId, fence }: TurnFence): Promise<HistoryMessage> {
  const { rows } = await db.query<HistoryMessage>(
    `SELECT ${MESSAGE} FROM message_history
     WHERE session_key = $1 AND turn_id = $2 AND message_role = 'assistant'
       AND EXISTS (SELECT 1 FROM turns WHERE id = $2 AND fence = $3 AND status IN ('succeeded', 'failed'))
     ORDER BY id DESC LIMIT 1`,
    [sessionKey, turnId, fence],
  )
  if (!rows[0]) throw new TurnLostError(turnId)
  return rows[0]
}
