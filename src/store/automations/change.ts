import type { Pool } from 'pg'
import type { Automation, AutomationState } from '../../contracts/automation'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import type { TurnFence } from '../session-writes'
import { cancelQueuedRuns } from './cancel-runs'
import { automationEvent, toAutomation } from './rows'
import type { AutomationRow } from './rows'
import { tellSchedule } from './tell-schedule'

export interface StateChange {
  state: AutomationState
  reason: string | null
  /** Where a switched-on automation continues; slots of the time it was off are nobody's. */
  nextRunAt?: Date | null
  /** Only if nothing changed since: an operator's wish that we read a moment ago. */
  ifVersion?: number
  /** Temporal has it so already. */
  scheduleKnows?: boolean
  turn?: TurnFence
}

/** Switches an automation on or off. Off also takes back what waits for its turn. Null when there is nothing to change. */
export function changeAutomation(pool: Pool, id: string, change: StateChange): Promise<Automation | null> {
  return withAutomation(pool, id, change.turn, async (db, before) => {
    if (before.state === change.state || before.state === 'ended') return null
    if (change.ifVersion !== undefined && change.ifVersion !== before.version) return null
    const on = change.state === 'active'
    const { rows } = await db.query<AutomationRow>(
      `UPDATE automations SET state = $2::text, state_reason = $3, version = version + 1, updated_at = now(),
         failures_in_row = CASE WHEN $4 THEN 0 ELSE failures_in_row END,
         accounted_until = CASE WHEN $4 THEN now() ELSE accounted_until END,
         next_run_at = CASE WHEN $4 THEN $5::timestamptz WHEN $2::text = 'ended' THEN NULL ELSE next_run_at END
       WHERE id = $1 RETURNING *`,
      [id, change.state, change.reason, on, change.nextRunAt ?? null],
    )
    await settle(db, rows[0]!, on ? [] : await cancelQueuedRuns(db, id, change.reason ?? change.state), change)
    return toAutomation(rows[0]!)
  })
}

/** Deletes an automation; its past runs stay readable. False when it was gone already. */
export async function removeAutomation(
  pool: Pool,
  id: string,
  by: { reason: string; scheduleKnows?: boolean; ifVersion?: number; turn?: TurnFence },
): Promise<boolean> {
  const removed = await withAutomation(pool, id, by.turn, async (db, before) => {
    if (by.ifVersion !== undefined && by.ifVersion !== before.version) return null
    const { rows } = await db.query<AutomationRow>(
      `UPDATE automations SET deleted_at = now(), updated_at = now(), version = version + 1, state_reason = $2,
         next_run_at = NULL WHERE id = $1 RETURNING *`,
      [id, by.reason],
    )
    await settle(db, rows[0]!, await cancelQueuedRuns(db, id, by.reason), by)
    return true
  })
  return removed ?? false
}

async function settle(
  db: Queryable,
  row: AutomationRow,
  events: Parameters<typeof appendEvents>[2],
  { scheduleKnows = false }: { scheduleKnows?: boolean },
): Promise<void> {
  if (scheduleKnows) {
    await db.query('UPDATE automations SET synced_version = version, synced_at = now() WHERE id = $1', [row.id])
  } else {
    await tellSchedule(db, row.id)
  }
  if (row.session_key !== null) await appendEvents(db, row.session_key, [...events, automationEvent(row)])
}

/** The session's lock comes first, as for every write in it; then the row, as it is now. */
async function withAutomation<T>(
  pool: Pool,
  id: string,
  turn: TurnFence | undefined,
  work: (db: Queryable, row: AutomationRow) => Promise<T | null>,
): Promise<T | null> {
  return inTransaction(pool, async (db) => {
    const { rows: found } = await db.query<AutomationRow>('SELECT * FROM automations WHERE id = $1', [id])
    if (!found[0]) return null
    if (found[0].session_key !== null) await lockSession(db, found[0].session_key, turn)
    const { rows } = await db.query<AutomationRow>(
      'SELECT * FROM automations WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
      [id],
    )
    return rows[0] ? work(db, rows[0]) : null
  })
}
