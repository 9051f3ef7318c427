import type { TurnEventData } from '../../contracts/event'
import { TURN_LEASE_SECONDS } from '../turn'
import type { TurnInput } from '../turn'
import type { TurnOrigin, TurnStatus } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import type { NewEvent } from '../../engine/session-writes'

export interface TurnRow {
  id: string
  sessionKey: string
  origin: TurnOrigin
  status: TurnStatus
  holder: string
  /** The session's fence while the turn runs; null while it waits. */
  fence: number | null
  input: TurnInput
}

/** The columns of a `TurnRow`. */
export const TURN = 'turns.id, turns.session_key, turns.origin, turns.status, turns.holder, turns.fence, turns.input'

/** What watchers see of a turn; one of an automation says which. */
export function turnEvent(
  turn: Pick<TurnRow, 'id'> & (Pick<TurnRow, 'origin' | 'input'> | { origin: 'user' }),
  state: TurnEventData['state'],
  status: TurnStatus,
): NewEvent {
  const about = turn.origin === 'automation' && 'input' in turn ? turn.input.metadata : {}
  const data: TurnEventData = { turn_id: turn.id, state, origin: turn.origin, status, ...about }
  return { name: 'turn', data }
}

interface TurnChange {
  id: string
  /** What the turn must be now; with a fence, also whose. */
  from: 'queued' | 'running'
  fence?: number
  to: Exclude<TurnStatus, 'queued'>
  holder?: string
  error?: string
}

/** Who held the session before changes nothing more in it. */
export const NEXT_FENCE = 'turn_fence = turn_fence + 1'

/**
 * Changes the status of a turn. Whenever somebody gets or gives up the session the fence moves on, so that whoever held it
 * before changes nothing more; a turn that only waited leaves the fence to the one that runs. The session must be locked.
 * Undefined when the turn was not as it had to be.
 */
export async function changeTurn(db: Queryable, change: TurnChange): Promise<TurnRow | undefined> {
  const { rows } = await db.query<TurnRow>(
    `WITH turn AS (
       SELECT id, session_key FROM turns WHERE id = $1 AND status = $2::text AND ($3::bigint IS NULL OR fence = $3)
     ), fenced AS (
       UPDATE sessions SET ${NEXT_FENCE}
       WHERE session_key IN (SELECT session_key FROM turn) AND 'running' IN ($2::text, $4::text) RETURNING turn_fence
     )
     UPDATE turns SET status = $4::text, error = $5, holder = coalesce($6, turns.holder),
       fence = CASE WHEN $4::text = 'running' THEN fenced.turn_fence ELSE turns.fence END,
       started_at = CASE WHEN $4::text = 'running' THEN coalesce(turns.started_at, now()) ELSE turns.started_at END,
       ended_at = CASE WHEN $4::text = 'running' THEN NULL ELSE now() END,
       lease_until = CASE WHEN $4::text = 'running' THEN now() + make_interval(secs => $7) ELSE turns.lease_until END
     FROM turn LEFT JOIN fenced ON true WHERE turns.id = turn.id RETURNING ${TURN}`,
    [
      change.id,
      change.from,
      change.fence ?? null,
      change.to,
      change.error ?? null,
      change.holder ?? null,
      TURN_LEASE_SECONDS,
    ],
  )
  return rows[0]
}
