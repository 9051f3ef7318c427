import type { HistoryMessage, NewMessage } from '../contracts/message'
import { TurnLostError } from '../errors'
import { endRunOfTurn } from './automations/end-run'
import type { RunEnding } from './automations/end-run'
import type { Queryable } from './database'
import { toMessage } from './message-rows'
import type { MessageRow } from './message-rows'
import { appendEvents, insertMessage, lockSession, messageEvent } from './session-writes'
import type { TurnFence } from './session-writes'
import { turnEvent } from './turn-event'
import type { TurnRow } from './turn-event'

export interface TurnResult {
  status: 'succeeded' | 'failed'
  error?: string
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
  turn: TurnFence,
  result: TurnResult,
): Promise<HistoryMessage> {
  const session = await lockSession(db, sessionKey)
  const { rows } = await db.query<TurnRow>(
    `WITH ended AS (
       UPDATE turns SET status = $3, error = $4, ended_at = now()
       WHERE id = $1 AND fence = $2 AND status = 'running' RETURNING *
     ), fenced AS (
       UPDATE sessions SET turn_fence = turn_fence + 1 WHERE session_key IN (SELECT session_key FROM ended)
     )
     SELECT * FROM ended`,
    [turn.turnId, turn.fence, result.status, result.error ?? null],
  )
  if (!rows[0]) return findAnswer(db, sessionKey, turn)
  // Whoever asked over HTTP reads the answer there.
  const deliver = rows[0].origin !== 'user' || rows[0].input.viaChannel === true
  const message = await insertMessage(db, session, { ...result.message, turnId: turn.turnId, deliver })
  const { runState: state, error = null } = result
  const ofRun = state
    ? await endRunOfTurn(db, session, { turnId: turn.turnId, state, error, messageId: message.id })
    : []
  const ended = turnEvent(rows[0], 'ended', result.status)
  await appendEvents(db, sessionKey, [messageEvent(message), ...ofRun, ended])
  return message
}

async function findAnswer(db: Queryable, sessionKey: string, { turnId, fence }: TurnFence): Promise<HistoryMessage> {
  const { rows } = await db.query<MessageRow>(
    `SELECT m.* FROM message_history m JOIN turns t ON t.id = m.turn_id
     WHERE m.session_key = $1 AND t.id = $2 AND t.fence = $3 AND t.status IN ('succeeded', 'failed')
       AND m.message_role = 'assistant' ORDER BY m.id DESC LIMIT 1`,
    [sessionKey, turnId, fence],
  )
  if (!rows[0]) throw new TurnLostError(turnId)
  return toMessage(rows[0])
}
