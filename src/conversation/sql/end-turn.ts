import type { HistoryMessage, NewMessage } from '../message'
import { TurnLostError } from '../../errors'
import type { RunEnding } from '../../automations/sql/end-run'
import type { Queryable } from '../../engine/database'
import { appendEvents, insertMessage, lockSession, MESSAGE, messageEvent } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import type { TurnHooksOf } from './turn-hooks'
import { changeTurn, turnEvent } from './turn-rows'

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
