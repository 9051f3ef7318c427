import type { Pool } from 'pg'
import { automationRunId } from '../../contracts/automation'
import type { Automation } from '../../contracts/automation'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import { automationEvent, automationRunEvent, toAutomation } from './rows'
import type { AutomationRow, AutomationRunRow } from './rows'

/** What the schedule has to be made; null when there is to be none. */
export async function findForSync(pool: Pool, id: string): Promise<Automation | null> {
  const { rows } = await pool.query<AutomationRow>(
    `SELECT * FROM automations WHERE id = $1 AND deleted_at IS NULL AND state <> 'ended'`,
    [id],
  )
  return rows[0] ? toAutomation(rows[0]) : null
}

/** False when the row moved on while Temporal was told: it has to be told again. */
export async function markSynced(pool: Pool, id: string, version: number | null): Promise<boolean> {
  if (version === null) return (await findForSync(pool, id)) === null
  const { rowCount } = await pool.query(
    `UPDATE automations SET synced_version = $2, synced_at = now()
     WHERE id = $1 AND version = $2 AND deleted_at IS NULL AND state <> 'ended'`,
    [id, version],
  )
  return rowCount === 1
}

/** Automations whose schedule should be as the row says, because nothing changed since it was told a while ago. */
export async function listSynced(pool: Pool, sinceSeconds: number, limit: number): Promise<Automation[]> {
  const { rows } = await pool.query<AutomationRow>(
    `SELECT a.* FROM automations a
     WHERE a.deleted_at IS NULL AND a.state <> 'ended' AND a.synced_version = a.version
       AND a.synced_at < now() - make_interval(secs => $1)
       AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'sync_automation' AND o.ref_id = a.id::text)
     ORDER BY a.synced_at LIMIT $2`,
    [sinceSeconds, limit],
  )
  return rows.map(toAutomation)
}

/** Active ones that have a slot between what is accounted for and `graceSeconds` ago. */
export async function listToAccount(
  pool: Pool,
  graceSeconds: number,
  limit: number,
): Promise<{ automation: Automation; from: Date; to: Date }[]> {
  const { rows } = await pool.query<AutomationRow & { upto: Date }>(
    `SELECT *, now() - make_interval(secs => $1) AS upto FROM automations
     WHERE deleted_at IS NULL AND state = 'active' AND accounted_until < now() - make_interval(secs => $1 + 60)
     ORDER BY accounted_until LIMIT $2`,
    [graceSeconds, limit],
  )
  return rows.map((row) => ({ automation: toAutomation(row), from: row.accounted_until, to: row.upto }))
}

/**
 * Slots for which there is no run were dropped by Temporal (its catch-up window, its full buffer): they are recorded, so that
 * the person sees them. An automation with nothing left to come has ended.
 */
export function recordMissed(
  pool: Pool,
  automation: Automation,
  account: { sessionKey: string; slots: Date[]; until: Date; nextRunAt: Date | null },
): Promise<number> {
  return inTransaction(pool, async (db) => {
    await lockSession(db, account.sessionKey)
    const { rows: live } = await db.query<AutomationRow>(
      `SELECT * FROM automations WHERE id = $1 AND deleted_at IS NULL AND state = 'active' AND version = $2 FOR UPDATE`,
      [automation.id, automation.version],
    )
    if (!live[0]) return 0
    const { rows: missed } = await db.query<AutomationRunRow>(
      `INSERT INTO automation_runs (id, automation_id, session_key, bot_uuid, scheduled_at, state, ended_at)
       SELECT slot.id, $1, $2, $3, slot.at, 'missed', now() FROM unnest($4::text[], $5::timestamptz[]) AS slot (id, at)
       ON CONFLICT DO NOTHING RETURNING *`,
      [
        automation.id,
        account.sessionKey,
        automation.botUuid,
        account.slots.map((slot) => automationRunId(automation.id, slot.getTime())),
        account.slots,
      ],
    )
    const { rows } = await db.query<AutomationRow>(
      `UPDATE automations SET accounted_until = $2, next_run_at = $3,
         state = CASE WHEN $3::timestamptz IS NULL AND NOT EXISTS (
           SELECT 1 FROM automation_runs r WHERE r.automation_id = $1 AND r.state IN ('queued', 'running')) THEN 'ended' ELSE state END
       WHERE id = $1 RETURNING *`,
      [automation.id, account.until, account.nextRunAt],
    )
    const after = rows[0]!
    const events = missed.map((run) => automationRunEvent(run, automation.name))
    if (after.state === 'ended') {
      await db.query(
        `UPDATE automations SET version = version + 1, state_reason = 'nothing more to come' WHERE id = $1`,
        [after.id],
      )
      await db.query(`INSERT INTO outbox (kind, ref_id, next_attempt_at) VALUES ('sync_automation', $1, now())`, [
        after.id,
      ])
    }
    if (events.length > 0 || after.state === 'ended') {
      await appendEvents(db, account.sessionKey, [...events, automationEvent(after)])
    }
    return missed.length
  })
}

export interface OpenRun {
  id: string
  workflowId: string | null
  automationId: string
  botUuid: string
  sessionKey: string
  slot: Date
}

/** Of these workflows' runs, those that are not over. */
export async function filterOpenRuns(pool: Pool, workflowIds: string[]): Promise<OpenRun[]> {
  const { rows } = await pool.query<AutomationRunRow>(
    `SELECT * FROM automation_runs WHERE workflow_id = ANY ($1::text[]) AND state IN ('queued', 'running')`,
    [workflowIds],
  )
  return rows.map(toOpenRun)
}

/** Runs that have been open for longer than they should: their workflow says why. */
export async function listStaleRuns(pool: Pool, seconds: number, limit: number): Promise<OpenRun[]> {
  const { rows } = await pool.query<AutomationRunRow>(
    `SELECT * FROM automation_runs
     WHERE state IN ('queued', 'running') AND queued_at < now() - make_interval(secs => $1) ORDER BY queued_at LIMIT $2`,
    [seconds, limit],
  )
  return rows.map(toOpenRun)
}

const toOpenRun = (row: AutomationRunRow): OpenRun => ({
  id: row.id,
  workflowId: row.workflow_id,
  automationId: row.automation_id,
  botUuid: row.bot_uuid,
  sessionKey: row.session_key,
  slot: row.scheduled_at,
})

/** Records do not grow without bound: the newest `keep` of each automation stay. */
export async function pruneRuns(pool: Pool, keep: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM automation_runs WHERE id IN (
       SELECT id FROM (
         SELECT id, state, row_number() OVER (PARTITION BY automation_id ORDER BY scheduled_at DESC) AS place FROM automation_runs
       ) ranked WHERE place > $1 AND state NOT IN ('queued', 'running') LIMIT $2)`,
    [keep, limit],
  )
  return rowCount ?? 0
}
