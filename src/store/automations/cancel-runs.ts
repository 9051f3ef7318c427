import type { Queryable } from '../database'
import type { NewEvent } from '../session-writes'
import { automationRunEvent } from './rows'
import type { AutomationRunRow } from './rows'

/** Takes back the runs that wait for their turn, and their places in the queue. The session must be locked. */
export async function cancelQueuedRuns(db: Queryable, automationId: string, reason: string): Promise<NewEvent[]> {
  const { rows } = await db.query<AutomationRunRow & { name: string }>(
    `WITH cancelled AS (
       UPDATE automation_runs SET state = 'cancelled', error = $2, ended_at = now()
       WHERE automation_id = $1 AND state = 'queued' RETURNING *
     ), closed AS (
       UPDATE turns SET status = 'closed', error = 'cancelled', ended_at = now()
       WHERE id IN (SELECT turn_id FROM cancelled) AND status = 'queued'
     )
     SELECT cancelled.*, a.name FROM cancelled JOIN automations a ON a.id = cancelled.automation_id`,
    [automationId, reason],
  )
  return rows.map((run) => automationRunEvent(run, run.name))
}
