import type { NewMessage } from '../contracts/message'
import type { Session } from '../contracts/session'
import { TURN_LEASE_SECONDS } from '../contracts/turn'
import type { Queryable } from './database'
import { appendEvents, insertMessage, messageEvent } from './session-writes'
import { turnEvent } from './turn-event'
import type { TurnRow } from './turn-event'

export type Claim = { state: 'running'; fence: number; session: Session } | { state: 'waiting' } | { state: 'gone' }

/** The running turn, or else the first in line. The session must be locked. */
export async function firstOpenTurn(db: Queryable, sessionKey: string): Promise<TurnRow | undefined> {
  const { rows } = await db.query<TurnRow>(
    `SELECT * FROM turns WHERE session_key = $1 AND status IN ('queued', 'running')
     ORDER BY status = 'running' DESC, seq LIMIT 1`,
    [sessionKey],
  )
  return rows[0]
}

export async function isOpen(db: Queryable, turnId: string): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT 1 FROM turns WHERE id = $1 AND status IN ('queued', 'running')`, [turnId])
  return rowCount === 1
}

/** Hands the session to the turn under a new fence and stores what it was asked. */
export async function startTurn(db: Queryable, session: Session, turn: TurnRow, message: NewMessage): Promise<Claim> {
  if (turn.status === 'running') return { state: 'waiting' }
  const { rows } = await db.query<{ turn_fence: number }>(
    'UPDATE sessions SET turn_fence = turn_fence + 1 WHERE session_key = $1 RETURNING turn_fence',
    [session.sessionKey],
  )
  const fence = rows[0]!.turn_fence
  await db.query(
    `UPDATE turns SET status = 'running', fence = $2, started_at = now(),
       lease_until = now() + make_interval(secs => $3) WHERE id = $1`,
    [turn.id, fence, TURN_LEASE_SECONDS],
  )
  // A turn that begins again after its holder died has said what it was asked.
  const asked = turn.fence === null ? [await insertMessage(db, session, { ...message, turnId: turn.id })] : []
  await appendEvents(db, session.sessionKey, [turnEvent(turn, 'started', 'running'), ...asked.map(messageEvent)])
  return { state: 'running', fence, session }
}
