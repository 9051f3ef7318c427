import type { Pool } from 'pg'
import { closeOpenTurn, closeTurn, TURN } from '../../conversation'
import type { Queryable } from '../../engine/database'
import { lockSession } from '../../engine/session-writes'
import type { TurnRow } from '../../conversation/sql/turn-rows'
import { findRun } from './read'
import { automationTurnHooks } from './turn-hooks'

export interface RunStop {
  state: 'cancelled' | 'failed'
  error: string
}

/**
 * Ends a run from outside: an operator cancelled or terminated its workflow, or it could not be carried on. One that had
 * begun, or that failed, leaves a closing in the session. False when it was over already.
 */
export async function stopRun(pool: Pool, runId: string, { state, error }: RunStop): Promise<boolean> {
  const run = await findRun(pool, runId)
  if (!run || run.turnId === null) return false
  const turn = { id: run.turnId, sessionKey: run.sessionKey }
  const closing = { cause: state === 'cancelled' ? 'stopped' : 'failed', error } as const
  return closeOpenTurn(pool, turn, { closing, hooks: automationTurnHooks })
}

/** Takes back the runs of an automation that wait for their turn. Their session must be locked. */
export async function stopQueuedRuns(db: Queryable, automationId: string, reason: string): Promise<void> {
  const { rows } = await db.query<TurnRow>(
    `SELECT ${TURN} FROM turns JOIN automation_runs r ON r.turn_id = turns.id
     WHERE r.automation_id = $1 AND r.state = 'queued' AND turns.status = 'queued' ORDER BY turns.seq`,
    [automationId],
  )
  for (const turn of rows) {
    const closing = { cause: 'stopped', error: reason } as const
    await closeTurn(db, await lockSession(db, turn.sessionKey), { turn, closing, hooks: automationTurnHooks })
  }
}
