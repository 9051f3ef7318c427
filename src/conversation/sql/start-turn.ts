import type { Session } from '../session'
import { closeTurn } from './close-turn'
import type { Queryable } from '../../engine/database'
import { appendEvents, insertMessage, messageEvent } from '../../engine/session-writes'
import type { NewEvent } from '../../engine/session-writes'
import type { OnStart, TurnHooksOf } from './turn-hooks'
import { changeTurn, TURN, turnEvent } from './turn-rows'
import type { TurnRow } from './turn-rows'

/** `gone` is a turn that is over, or that somebody else holds now. */
export type Claim = { state: 'running'; fence: number; session: Session } | { state: 'waiting' } | { state: 'gone' }

/**
 * The running turn, or else the first in line. One that nobody holds is passed over, unless it is `turnId`, whose holder asks
 * right now. The session must be locked.
 */
export async function firstOpenTurn(db: Queryable, sessionKey: string, turnId: string): Promise<TurnRow | undefined> {
  const { rows } = await db.query<TurnRow>(
    `SELECT ${TURN} FROM turns WHERE session_key = $1
       AND (status = 'running' OR (status = 'queued' AND (lease_until >= now() OR id = $2)))
     ORDER BY status = 'running' DESC, seq LIMIT 1`,
    [sessionKey, turnId],
  )
  return rows[0]
}

export async function isOpen(db: Queryable, turn: { id: string; holder: string }): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT 1 FROM turns WHERE id = $1 AND holder = $2 AND status IN ('queued', 'running')`,
    [turn.id, turn.holder],
  )
  return rowCount === 1
}

/** Hands the session to a turn that waits, under a new fence, and stores what is said first in it. */
export async function startTurn(
  db: Queryable,
  session: Session,
  { turn, onStart, hooks, before = [] }: { turn: TurnRow; onStart: OnStart; hooks: TurnHooksOf; before?: NewEvent[] },
): Promise<Claim> {
  const opening = await onStart(db, session, turn)
  if (!opening) {
    await closeTurn(db, session, {
      turn,
      closing: { cause: 'stopped', error: 'called off' },
      hooks: hooks[turn.origin],
    })
    return { state: 'gone' }
  }
  const started = await changeTurn(db, { id: turn.id, from: 'queued', to: 'running' })
  const said = await insertMessage(db, session, { ...opening.message, turnId: turn.id })
  await appendEvents(db, session.sessionKey, [
    ...before,
    turnEvent(turn, 'started', 'running'),
    messageEvent(said),
    ...(opening.events ?? []),
  ])
  return { state: 'running', fence: started!.fence!, session }
}
