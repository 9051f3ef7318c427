import { TURN_LEASE_SECONDS, TURN_QUEUE_LIMIT } from '../turn'
import type { NewTurn } from '../turn'
import { tooMany } from '../../errors'
import type { Queryable } from '../../engine/database'
import type { NewEvent } from '../../engine/session-writes'
import { TURN, turnEvent } from './turn-rows'
import type { TurnRow } from './turn-rows'

/** Gives a turn its place behind all others of the session, which must be locked. */
export async function enqueueTurn(db: Queryable, turn: NewTurn): Promise<{ turn: TurnRow; event: NewEvent }> {
  const { rows } = await db.query<TurnRow>(
    `INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input)
     VALUES ($1, $2, $3, 'queued', $4, now() + make_interval(secs => $5), $6) RETURNING ${TURN}`,
    [turn.id, turn.sessionKey, turn.origin, turn.holder, TURN_LEASE_SECONDS, JSON.stringify(turn.input)],
  )
  return { turn: rows[0]!, event: turnEvent(turn, 'queued', 'queued') }
}

/** Whether nobody runs or waits in the session, which must be locked. Refuses when too many wait. */
export async function isIdle(db: Queryable, sessionKey: string): Promise<boolean> {
  const { rows } = await db.query<{ waiting: number; running: number }>(
    `SELECT count(*) FILTER (WHERE status = 'queued') AS waiting, count(*) FILTER (WHERE status = 'running') AS running
     FROM turns WHERE session_key = $1 AND status IN ('queued', 'running')`,
    [sessionKey],
  )
  const { waiting, running } = rows[0]!
  if (waiting < TURN_QUEUE_LIMIT) return waiting + running === 0
  throw tooMany(
    'too_many_turns',
    `${TURN_QUEUE_LIMIT} messages already wait in this session`,
    5,
    'Wait for the answers.',
  )
}
