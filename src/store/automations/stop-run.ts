import type { Pool } from 'pg'
import { describeCancelledRun, describeFailedRun } from '../../contracts/automation-texts'
import { AppError } from '../../errors'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../session-writes'
import type { NewEvent } from '../session-writes'
import { endRunOfTurn } from './end-run'
import { findRun } from './read'
import type { NamedRun } from './read'
import { automationRunEvent } from './rows'
import type { AutomationRunRow } from './rows'

export interface RunStop {
  state: 'cancelled' | 'failed'
  error: string
}

/**
 * Ends a run from outside: an operator cancelled or terminated its workflow, or it could not be carried on. One that had
 * begun, or that failed, leaves a closing in the session. False when it was over already.
 */
export async function stopRun(pool: Pool, runId: string, stop: RunStop): Promise<boolean> {
  const known = await findRun(pool, runId)
  if (!known) return false
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, known.session_key)
    const run = (await findRun(db, runId))!
    if (run.state !== 'queued' && run.state !== 'running') return false
    const begun = run.state === 'running'
    await closeTurnOf(db, run)
    const events: NewEvent[] = []
    let messageId: number | null = null
    if (begun || stop.state === 'failed') {
      const language = session.language ?? run.language
      const describe = stop.state === 'failed' ? describeFailedRun : describeCancelledRun
      const closing = await insertMessage(db, session, {
        role: 'assistant',
        senderId: session.botUuid,
        content: describe(run.name, language),
        sourceKind: 'closing',
        turnId: run.turn_id ?? undefined,
        metadata: {
          closing: stop.state,
          automation_id: run.automation_id,
          automation_name: run.name,
          automation_run_id: runId,
        },
      })
      messageId = closing.id
      events.push(messageEvent(closing))
    }
    events.push(...(await endRun(db, run, { ...stop, messageId })))
    if (begun && run.turn_id !== null) {
      events.push(...(await endRunOfTurn(db, session, { turnId: run.turn_id, ...stop, messageId })))
    }
    await appendEvents(db, session.sessionKey, events)
    return true
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return false
    throw error
  })
}

/** The fence moves on, so that a worker that still writes changes nothing. */
async function closeTurnOf(db: Queryable, run: NamedRun): Promise<void> {
  await db.query(
    `WITH closed AS (
       UPDATE turns SET status = 'closed', error = 'stopped', ended_at = now()
       WHERE id = $1 AND status IN ('queued', 'running') RETURNING session_key, fence
     )
     UPDATE sessions SET turn_fence = turn_fence + 1
     WHERE session_key IN (SELECT session_key FROM closed WHERE fence IS NOT NULL)`,
    [run.turn_id],
  )
}

/** A run that never had its turn ends here; one that had is ended, and counted, with its turn. */
async function endRun(db: Queryable, run: NamedRun, stop: RunStop & { messageId: number | null }): Promise<NewEvent[]> {
  if (run.state === 'running') return []
  const { rows } = await db.query<AutomationRunRow>(
    `UPDATE automation_runs SET state = $2, error = $3, message_id = $4, ended_at = now() WHERE id = $1 RETURNING *`,
    [run.id, stop.state, stop.error, stop.messageId],
  )
  return [automationRunEvent(rows[0]!, run.name)]
}
