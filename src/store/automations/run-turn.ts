import { automationRunRef } from '../../contracts/automation'
import { TURN_LEASE_SECONDS } from '../../contracts/turn'
import type { TurnInput } from '../../contracts/turn'
import { turnEvent } from '../turn-event'
import type { Queryable } from '../database'
import type { NewEvent } from '../session-writes'
import type { AutomationRunRow } from './rows'

/** Gives the run a place in the session's queue. What the person will read of it is stored when the turn starts. */
export async function enqueueRunTurn(
  db: Queryable,
  run: AutomationRunRow,
  turn: { id: string; holder: string; name: string },
): Promise<NewEvent[]> {
  const about = { automation_id: run.automation_id, automation_name: turn.name, automation_run_id: run.id }
  const input: TurnInput = { message: automationRunRef(run.id), senderId: 'automation', metadata: about }
  await db.query(
    `INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input)
     VALUES ($1, $2, 'automation', 'queued', $3, now() + make_interval(secs => $4), $5)`,
    [turn.id, run.session_key, turn.holder, TURN_LEASE_SECONDS, JSON.stringify(input)],
  )
  await db.query('UPDATE automation_runs SET turn_id = $2 WHERE id = $1', [run.id, turn.id])
  return [turnEvent({ id: turn.id, origin: 'automation', input }, 'queued', 'queued')]
}
