import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { AutomationRunState } from '../../contracts/automation'
import type { Session } from '../../contracts/session'
import { TURN_LEASE_SECONDS } from '../../contracts/turn'
import { closeTurn } from '../close-turn'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import type { TurnRow } from '../turn-event'
import { findRun } from './read'
import type { AutomationRunRow } from './rows'
import { enqueueRunTurn } from './run-turn'

export type TakenRun =
  | { state: 'waiting'; turnId: string; session: Session }
  /** Its last worker died before it did anything that cannot be done again. */
  | { state: 'running'; turnId: string; session: Session; fence: number }
  | { state: 'over'; runState: AutomationRunState }

/** Who works on a run takes its turn, perhaps from a worker that died: from now on only this holder counts. */
export async function takeRun(pool: Pool, runId: string, holder: string): Promise<TakenRun> {
  const known = await findRun(pool, runId)
  if (!known) return { state: 'over', runState: 'cancelled' }
  return inTransaction(pool, async (db): Promise<TakenRun> => {
    const session = await lockSession(db, known.session_key)
    const run = (await findRun(db, runId))!
    const turn = run.turn_id === null ? undefined : await findOpenTurn(db, run.turn_id)
    if (run.state === 'running' && turn?.status === 'running') return takeRunning(db, session, turn, holder)
    if (run.state !== 'queued') return { state: 'over', runState: run.state }
    return { state: 'waiting', session, turnId: await takeQueued(db, run, turn, holder) }
  })
}

async function takeQueued(
  db: Queryable,
  run: AutomationRunRow & { name: string },
  turn: TurnRow | undefined,
  holder: string,
) {
  if (turn) {
    await hold(db, turn.id, holder)
    return turn.id
  }
  const id = uuidv7()
  await appendEvents(db, run.session_key, await enqueueRunTurn(db, run, { id, holder, name: run.name }))
  return id
}

async function takeRunning(db: Queryable, session: Session, turn: TurnRow, holder: string): Promise<TakenRun> {
  const { rowCount: calls } = await db.query('SELECT 1 FROM tool_calls WHERE turn_id = $1 LIMIT 1', [turn.id])
  if (calls) {
    await closeTurn(db, session, turn, 'interrupted')
    return { state: 'over', runState: 'failed' }
  }
  const { rows } = await db.query<{ turn_fence: number }>(
    'UPDATE sessions SET turn_fence = turn_fence + 1 WHERE session_key = $1 RETURNING turn_fence',
    [session.sessionKey],
  )
  const fence = rows[0]!.turn_fence
  await db.query('UPDATE turns SET fence = $2 WHERE id = $1', [turn.id, fence])
  await hold(db, turn.id, holder)
  return { state: 'running', turnId: turn.id, session, fence }
}

async function hold(db: Queryable, turnId: string, holder: string): Promise<void> {
  await db.query(`UPDATE turns SET holder = $2, lease_until = now() + make_interval(secs => $3) WHERE id = $1`, [
    turnId,
    holder,
    TURN_LEASE_SECONDS,
  ])
}

async function findOpenTurn(db: Queryable, id: string): Promise<TurnRow | undefined> {
  const { rows } = await db.query<TurnRow>(`SELECT * FROM turns WHERE id = $1 AND status IN ('queued', 'running')`, [
    id,
  ])
  return rows[0]
}
