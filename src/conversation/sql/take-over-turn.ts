import { TURN_LEASE_SECONDS } from '../turn'
import { closeTurn } from './close-turn'
import type { Queryable } from '../../engine/database'
import { lockSession } from '../../engine/session-writes'
import type { Claim } from './start-turn'
import type { TurnHooksOf } from './turn-hooks'
import { changeTurn, TURN } from './turn-rows'
import type { TurnRow } from './turn-rows'

/**
 * For whoever repeats the work of a holder that died. A turn that waits keeps its place. One that runs goes on under a new
 * fence, the dead holder shut out, if it called no tool; if it did it is closed visibly, since what a tool did is not done twice.
 */
export async function takeOverTurn(
  db: Queryable,
  turn: { id: string; sessionKey: string; holder: string },
  hooks: TurnHooksOf,
): Promise<Claim | { state: 'absent' }> {
  const session = await lockSession(db, turn.sessionKey)
  const { rows } = await db.query<TurnRow & { called: boolean }>(
    `SELECT ${TURN}, EXISTS (SELECT 1 FROM tool_calls WHERE turn_id = turns.id) AS called FROM turns WHERE id = $1`,
    [turn.id],
  )
  const row = rows[0]
  if (!row) return { state: 'absent' }
  if (row.status === 'queued') {
    await db.query(`UPDATE turns SET holder = $2, lease_until = now() + make_interval(secs => $3) WHERE id = $1`, [
      turn.id,
      turn.holder,
      TURN_LEASE_SECONDS,
    ])
    return { state: 'waiting' }
  }
  if (row.status !== 'running') return { state: 'gone' }
  if (row.called) {
    await closeTurn(db, session, { turn: row, closing: { cause: 'interrupted' }, hooks: hooks[row.origin] })
    return { state: 'gone' }
  }
  const taken = await changeTurn(db, { id: turn.id, from: 'running', to: 'running', holder: turn.holder })
  return { state: 'running', fence: taken!.fence!, session }
}
