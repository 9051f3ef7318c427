import type { Pool } from 'pg'
import { metadataOf } from './contract'
import type { InboundTask } from './contract'
import { chatTurnHooks, closeTurn, enqueueTurn, TURN } from '../../conversation'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { lockSession } from '../../engine/session-writes'
import type { TurnRow } from '../../conversation/sql/turn-rows'
import { errorCode } from '../../errors'
import { beginInbound, closeInbound, endInbound } from './receive'

/** What nobody expected may be a bug: it holds up the line of its session no longer than this. */
const UNEXPECTED_FOR = '10 minutes'

/** Notes that an answer failed for a reason that nobody expected; true when that has gone on for too long. */
export async function noteUnexpected(pool: Pool, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ over: boolean }>(
    `UPDATE inbound_messages SET failing_since = coalesce(failing_since, now()) WHERE id = $1
     RETURNING failing_since < now() - interval '${UNEXPECTED_FOR}' AS over`,
    [id],
  )
  return rows[0]?.over ?? false
}

/** Ends a message that cannot be answered: the person sees what they said and that it failed, and the line goes on. */
export function giveUpInbound(pool: Pool, task: InboundTask, error: string): Promise<void> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, task.sessionKey)
    const turn = await turnOf(db, task)
    if (turn.status === 'queued' || turn.status === 'running') {
      await closeTurn(db, session, { turn, closing: { cause: 'failed' }, hooks: chatTurnHooks })
    }
    await closeInbound(db, task, error)
  })
}

/** The same for one whose workflow is gone; in a deleted session there is nobody to tell. False if it had ended. */
export async function abandonInbound(pool: Pool, id: string, error: string): Promise<boolean> {
  const task = await beginInbound(pool, id)
  if (!task) return false
  try {
    await giveUpInbound(pool, task, error)
    return true
  } catch (cause) {
    if (errorCode(cause) !== 'not_found') throw cause
    return endInbound(pool, id, error)
  }
}

/** The turn of the message; one that could not even be put in the queue is put there to be closed. */
async function turnOf(db: Queryable, task: InboundTask): Promise<TurnRow> {
  const { rows } = await db.query<TurnRow>(`SELECT ${TURN} FROM turns WHERE id = $1`, [task.turnId])
  if (rows[0]) return rows[0]
  const { sessionKey, senderId, content: message, chain } = task
  const input = { message, chain, senderId, metadata: metadataOf(task), viaChannel: true }
  const place = { id: task.turnId, sessionKey, origin: 'user' as const, holder: 'nobody' }
  return (await enqueueTurn(db, { ...place, input })).turn
}
