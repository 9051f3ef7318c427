import type { Pool } from 'pg'
import type { Automation, AutomationState } from '../contract'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, lockSession, insertMessage, messageEvent } from '../../engine/session-writes'
import type { TurnFence, NewEvent } from '../../engine/session-writes'
import { AUTOMATION, automationEvent } from './rows'
import type { AutomationRow } from './rows'
import { stopQueuedRuns } from './stop-run'
import { tellSchedule } from './tell-schedule'
import { describeOperatorChange } from '../texts'
import { languageOfPerson } from '../../contracts/language'

export interface StateChange {
  state: AutomationState
  reason: string | null
  /** Where a switched-on automation continues; slots of the time it was off are nobody's. */
  nextRunAt?: Date | null
  /** Only if nothing changed since: an operator's wish that we read a moment ago. */
  ifVersion?: number
  /** When one that was paused goes on by itself. */
  resumeAt?: Date
  /** Temporal has it so already. */
  scheduleKnows?: boolean
  /** An operator did it: the person reads so in the conversation. */
  tellPerson?: boolean
  /** Where its people read now; null if it has no session. */
  heardIn: string | null
  turn?: TurnFence
}

/** Switches an automation on or off. Off also takes back what waits for its turn. Null when there is nothing to change. */
export function changeAutomation(pool: Pool, id: string, change: StateChange): Promise<Automation | null> {
  return withAutomation(pool, id, change, async (db, before) => {
    if (before.state === change.state || before.state === 'ended') return null
    if (change.ifVersion !== undefined && change.ifVersion !== before.version) return null
    const on = change.state === 'active'
    const { rows } = await db.query<Automation>(
      `UPDATE automations SET state = $2::text, state_reason = $3, version = version + 1, updated_at = now(),
         resume_at = $6, failures_in_row = CASE WHEN $4 THEN 0 ELSE failures_in_row END,
         accounted_until = CASE WHEN $4 THEN now() ELSE accounted_until END,
         next_run_at = CASE WHEN $4 THEN $5::timestamptz WHEN $2::text = 'ended' THEN NULL ELSE next_run_at END
       WHERE id = $1 RETURNING ${AUTOMATION}`,
      [id, change.state, change.reason, on, change.nextRunAt ?? null, change.resumeAt ?? null],
    )
    if (!on) await stopQueuedRuns(db, id, change.reason ?? change.state)
    await settle(db, rows[0]!, change)
    return rows[0]!
  })
}

/** Says how many tokens its runs may use in a day. */
export async function setDailyTokens(pool: Pool, id: string, tokens: number | null): Promise<void> {
  await pool.query(
    'UPDATE automations SET daily_tokens = $2, updated_at = now() WHERE id = $1 AND deleted_at IS NULL',
    [id, tokens],
  )
}

/** Deletes an automation; its past runs stay readable. False when it was gone already. */
export async function removeAutomation(
  pool: Pool,
  id: string,
  by: Pick<StateChange, 'scheduleKnows' | 'tellPerson' | 'heardIn' | 'ifVersion' | 'turn'> & { reason: string },
): Promise<boolean> {
  const removed = await withAutomation(pool, id, by, async (db, before) => {
    if (by.ifVersion !== undefined && by.ifVersion !== before.version) return null
    const { rows } = await db.query<AutomationRow>(
      `UPDATE automations SET deleted_at = now(), updated_at = now(), version = version + 1, state_reason = $2,
         next_run_at = NULL WHERE id = $1 RETURNING ${AUTOMATION}, deleted_at`,
      [id, by.reason],
    )
    await stopQueuedRuns(db, id, by.reason)
    await settle(db, rows[0]!, by)
    return true
  })
  return removed ?? false
}

async function settle(
  db: Queryable,
  row: AutomationRow,
  { scheduleKnows, tellPerson, heardIn }: Pick<StateChange, 'scheduleKnows' | 'tellPerson' | 'heardIn'>,
): Promise<void> {
  if (scheduleKnows) {
    await db.query('UPDATE automations SET synced_version = version, synced_at = now() WHERE id = $1', [row.id])
  } else {
    await tellSchedule(db, row.id)
  }
  if (heardIn === null) return
  const note = tellPerson ? [await noteOperatorChange(db, heardIn, row)] : []
  await appendEvents(db, heardIn, [automationEvent(row), ...note])
}

/** The session's lock comes first, as for every write in it; then the row, as it is now. An imported job may run in a session of its own. */
async function withAutomation<T>(
  pool: Pool,
  id: string,
  { heardIn, turn }: Pick<StateChange, 'heardIn' | 'turn'>,
  work: (db: Queryable, row: Automation) => Promise<T | null>,
): Promise<T | null> {
  return inTransaction(pool, async (db) => {
    const { rows: found } = await db.query<{ sessionKey: string | null }>(
      `SELECT coalesce($2, (SELECT session_key FROM automation_runs r
         WHERE r.automation_id = a.id AND r.state IN ('queued', 'running') LIMIT 1)) AS session_key
       FROM automations a WHERE id = $1`,
      [id, heardIn],
    )
    if (!found[0]) return null
    if (found[0].sessionKey !== null) await lockSession(db, found[0].sessionKey, turn)
    const { rows } = await db.query<Automation>(
      `SELECT ${AUTOMATION} FROM automations WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [id],
    )
    return rows[0] ? work(db, rows[0]) : null
  })
}

/** Tells the person in the conversation what an operator did to their automation. The session must be locked. */
async function noteOperatorChange(db: Queryable, sessionKey: string, row: AutomationRow): Promise<NewEvent> {
  const session = await lockSession(db, sessionKey)
  const change = row.deletedAt ? 'deleted' : row.state === 'active' ? 'active' : 'paused'
  const note = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: describeOperatorChange(change, row.name, languageOfPerson(session, row)),
    sourceKind: 'automation',
    metadata: { automation_id: row.id, automation_name: row.name, automation_note: `${change}_by_operator` },
  })
  return messageEvent(note)
}
