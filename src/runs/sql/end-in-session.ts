import { runWorkflowId } from '../contract'
import type { Run } from '../contract'
import type { Queryable } from '../../engine/database'
import { cancelWorkflows } from '../../engine/outbox-store'
import { RUN } from './rows'
import { insertRunEvent } from './write'

/** A plugin run without its session tells nobody any more. */
export async function cancelRunsOf(db: Queryable, sessionKey: string): Promise<void> {
  const { rows } = await db.query<Run>(
    `UPDATE runs SET status = 'cancelled', cancel_reason = 'session deleted', ended_at = now(), session_key = NULL, overlays = '{}'
     WHERE session_key = $1 AND status = 'running' RETURNING ${RUN}`,
    [sessionKey],
  )
  const ids = rows.map(({ id }) => id)
  await forgetRuns(db, ids)
  for (const run of rows) await insertRunEvent(db, run, { type: 'completed', data: { status: 'cancelled' } })
  await cancelWorkflows(db, ids.map(runWorkflowId))
}

/** Its workflow still has to end: the steps stay, with nothing in them. */
async function forgetRuns(db: Queryable, ids: string[]): Promise<void> {
  await db.query('DELETE FROM artifacts WHERE run_id = ANY ($1)', [ids])
  await db.query('DELETE FROM run_events WHERE run_id = ANY ($1)', [ids])
  await db.query(
    `UPDATE run_steps SET draft_args = '{}', args = NULL, reason = NULL, result = NULL, progress_text = NULL,
       result_text = NULL WHERE run_id = ANY ($1)`,
    [ids],
  )
}
