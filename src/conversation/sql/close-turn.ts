import type { Pool } from 'pg'
import type { Session } from '../session'
import { errorCode } from '../../errors'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, lockSession } from '../../engine/session-writes'
import type { TurnClosing, TurnHooks, TurnHooksOf } from './turn-hooks'
import { changeTurn, TURN, turnEvent } from './turn-rows'
import type { TurnRow } from './turn-rows'

/** Ends a turn that nobody works on any more, visibly. The session must be locked, and the turn open. */
export async function closeTurn(
  db: Queryable,
  session: Session,
  { turn, closing, hooks }: { turn: TurnRow; closing: TurnClosing; hooks: TurnHooks },
): Promise<void> {
  const from = turn.status === 'running' ? 'running' : 'queued'
  if (!(await changeTurn(db, { id: turn.id, from, to: 'closed', error: closing.cause }))) return
  const told = await hooks.onClose(db, session, turn, closing)
  await appendEvents(db, session.sessionKey, [...told, turnEvent(turn, 'ended', 'closed')])
}

/** Closes a turn if it is still open. False when it had ended, or went with its session. */
export async function closeOpenTurn(
  pool: Pool,
  turn: { id: string; sessionKey: string },
  { closing, hooks }: { closing: TurnClosing; hooks: TurnHooks | TurnHooksOf },
): Promise<boolean> {
  try {
    return await inTransaction(pool, async (db) => {
      const session = await lockSession(db, turn.sessionKey)
      const { rows } = await db.query<TurnRow>(
        `SELECT ${TURN} FROM turns WHERE id = $1 AND status IN ('queued', 'running')`,
        [turn.id],
      )
      if (rows[0])
        await closeTurn(db, session, {
          turn: rows[0],
          closing,
          hooks: 'onClose' in hooks ? hooks : hooks[rows[0].origin],
        })
      return rows.length === 1
    })
  } catch (error) {
    if (errorCode(error) === 'not_found') return false
    throw error
  }
}

/** An automation that waits is not forsaken: its workflow comes back for its place. */
export const FORSAKEN = `status IN ('queued', 'running') AND lease_until < now()
  AND NOT (origin = 'automation' AND status = 'queued')`

/** Closes every turn of the locked session whose lease has ended, but not `except`, whose holder is asking right now. */
export async function closeTurnsWithoutHolder(
  db: Queryable,
  session: Session,
  { hooks, except }: { hooks: TurnHooksOf; except?: string },
): Promise<number> {
  const { rows } = await db.query<TurnRow>(
    `SELECT ${TURN} FROM turns WHERE session_key = $1 AND ${FORSAKEN} AND id IS DISTINCT FROM $2::uuid ORDER BY seq`,
    [session.sessionKey, except ?? null],
  )
  for (const turn of rows)
    await closeTurn(db, session, { turn, closing: { cause: 'interrupted' }, hooks: hooks[turn.origin] })
  return rows.length
}
