import { TURN_LEASE_SECONDS } from '../contracts/turn'
import { closeTurn } from './close-turn'
import type { Queryable } from './database'
import { lockSession } from './session-writes'
import type { TurnRow } from './turn-event'

export type TakeOver = 'absent' | 'queued' | 'over'

/**
 * For whoever repeats the work of a holder that died. A turn that called no tool goes back to its place in the queue under
 * a new fence; one that did is closed visibly, since what a tool did is not done twice.
 */
export async function takeOverTurn(
  db: Queryable,
  turn: { id: string; sessionKey: string; holder: string },
): Promise<TakeOver> {
  const session = await lockSession(db, turn.sessionKey)
  const { rows } = await db.query<TurnRow & { called: boolean }>(
    `SELECT *, EXISTS (SELECT 1 FROM tool_calls WHERE turn_id = turns.id) AS called FROM turns WHERE id = $1`,
    [turn.id],
  )
  const row = rows[0]
  if (!row) return 'absent'
  if (row.status !== 'queued' && row.status !== 'running') return 'over'
  if (row.called) {
    await closeTurn(db, session, row, 'interrupted')
    return 'over'
  }
  await db.query(
    `UPDATE turns SET status = 'queued', holder = $2, lease_until = now() + make_interval(secs => $3) WHERE id = $1`,
    [turn.id, turn.holder, TURN_LEASE_SECONDS],
  )
  await db.query('UPDATE sessions SET turn_fence = turn_fence + 1 WHERE session_key = $1', [turn.sessionKey])
  return 'queued'
}
