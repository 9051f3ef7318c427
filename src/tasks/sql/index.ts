import type { TaskFilter, TaskOwner } from '../contract'
import type { TaskLedgers } from '../task-ledger'
import type { TaskReader } from '../tasks'
import { readClock } from '../../engine/clock'
import { inTransaction } from '../../engine/database'
import type { Database, Queryable } from '../../engine/database'
import { lockSession } from '../../engine/session-writes'
import { createLedger } from './ledger'
import { findTask, listTasks } from './read'

export type TaskStore = ReturnType<typeof createTaskStore>

/** Tasks of a person: read by anyone who may, written by one at a time. */
export function createTaskStore({ pool }: Database): TaskReader & TaskLedgers {
  return {
    find: (taskId) => findTask(pool, taskId),
    list: (owner: TaskOwner, filter: TaskFilter, page) => listTasks(pool, owner, filter, page),

    open: (owner, turn, work) =>
      inTransaction(pool, async (db) => {
        // The session first, as everywhere; then the person, who may have several sessions and programs besides.
        if (turn) await lockSession(db, turn.sessionKey, turn)
        await lockOwner(db, owner)
        return work(createLedger(db, owner, await readClock(db)))
      }),
  }
}

/** There may be no row of this person yet, so the lock is on their name. */
async function lockOwner(db: Queryable, { botUuid, launcherType, launcherId }: TaskOwner): Promise<void> {
  const name = JSON.stringify(['tasks', botUuid, launcherType, launcherId])
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}
