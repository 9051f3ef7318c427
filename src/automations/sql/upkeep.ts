import type { Pool } from 'pg'
import { validate as isUuid } from 'uuid'
import { automationRunId } from '../contract'
import type { Automation, AutomationRun } from '../contract'
import { describeMissed } from '../texts'
import { languageOfPerson } from '../../contracts/language'
import type { Session } from '../../conversation/session'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../../engine/session-writes'
import type { NewEvent } from '../../engine/session-writes'
import { AUTOMATION, AUTOMATION_RUN, automationEvent, automationRunEvent } from './rows'
import { tellSchedule } from './tell-schedule'

/** What the schedule has to be made; null when there is to be none. */
export async function findForSync(pool: Pool, id: string): Promise<Automation | null> {
  const { rows } = await pool.query<Automation>(
    `SELECT ${AUTOMATION} FROM automations WHERE id = $1 AND deleted_at IS NULL AND state <> 'ended'`,
    [id],
  )
  return rows[0] ?? null
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
export async function listSynced(
  pool: Pool,
  sinceSeconds: number,
  afterId: string | null,
  limit: number,
): Promise<(Automation & { seenGeneration: number | null })[]> {
  const { rows } = await pool.query<Automation & { seenGeneration: number | null }>(
    `SELECT ${AUTOMATION}, seen_generation FROM automations
     WHERE deleted_at IS NULL AND state <> 'ended' AND synced_version = version
       AND synced_at < now() - make_interval(secs => $1)
       AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'sync_automation' AND o.ref_id = automations.id::text)
       AND ($2::uuid IS NULL OR id > $2::uuid)
     ORDER BY id LIMIT $3`,
    [sinceSeconds, afterId, limit],
  )
  return rows
}

/** Their schedules were seen in this generation of Temporal's memory: from now on their absence is somebody's wish. */
export async function markSeen(pool: Pool, ids: string[], generation: number): Promise<void> {
  await pool.query(
    `UPDATE automations SET seen_generation = $2
     WHERE id = ANY ($1::uuid[]) AND seen_generation IS DISTINCT FROM $2::int`,
    [ids.filter(isUuid), generation],
  )
}

/**
 * Automations that may have slots nobody took since they were last looked at: up to `graceSeconds` ago, or up to their end.
 * One whose next run should have been by then is looked at without delay, and one that has missed slots to tell of.
 */
export async function listToAccount(
  pool: Pool,
  graceSeconds: number,
  limit: number,
): Promise<{ automation: Automation; from: Date; to: Date }[]> {
  const { rows } = await pool.query<Automation & { from: Date; to: Date }>(
    `SELECT ${AUTOMATION}, accounted_until AS "from", upto AS "to" FROM (
       SELECT *, CASE WHEN state = 'active' THEN now() - make_interval(secs => $1)
         ELSE least(ends_at, updated_at) END AS upto
       FROM automations WHERE deleted_at IS NULL AND (state = 'active' OR (state = 'ended' AND updated_at > now() - interval '1 day'))
     ) automations
     WHERE accounted_until < upto - make_interval(secs => CASE WHEN state = 'active' THEN 60 ELSE 0 END)
       OR (state = 'active' AND accounted_until < upto AND next_run_at < upto)
       OR EXISTS (SELECT 1 FROM automation_runs r WHERE r.automation_id = automations.id AND ${UNTOLD})
     ORDER BY accounted_until LIMIT $2`,
    [graceSeconds, limit],
  )
  return rows.map(({ from, to, ...automation }) => ({ automation, from, to }))
}

const UNTOLD = `r.state = 'missed' AND r.message_id IS NULL AND r.error IN ('too_late', 'not_started')`

export interface SlotAccount {
  sessionKey: string
  slots: Date[]
  /** Missed slots that are too many to be recorded one by one. */
  unrecorded: number
  until: Date
  nextRunAt: Date | null
}

/**
 * Slots for which there is no run were dropped by Temporal (its catch-up window, its full buffer): they are recorded, so that
 * the person sees them. An automation with nothing left to come has ended.
 */
export function recordMissed(pool: Pool, automation: Automation, account: SlotAccount): Promise<number> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, account.sessionKey)
    const { rows: live } = await db.query<Automation>(
      `SELECT ${AUTOMATION} FROM automations WHERE id = $1 AND deleted_at IS NULL AND state IN ('active', 'ended') AND version = $2 FOR UPDATE`,
      [automation.id, automation.version],
    )
    if (!live[0]) return 0
    const { rows: missed } = await db.query<AutomationRun>(
      `INSERT INTO automation_runs (id, automation_id, session_key, bot_uuid, scheduled_at, state, ended_at, error)
       SELECT slot.id, $1, $2, $3, slot.at, 'missed', now(), CASE WHEN EXISTS (
           SELECT 1 FROM automation_runs r WHERE r.automation_id = $1 AND r.state <> 'missed' AND r.queued_at <= slot.at
             AND coalesce(r.ended_at, now()) >= slot.at) THEN 'overlap' ELSE 'not_started' END
       FROM unnest($4::text[], $5::timestamptz[]) AS slot (id, at)
       ON CONFLICT DO NOTHING RETURNING ${AUTOMATION_RUN}`,
      [
        automation.id,
        account.sessionKey,
        automation.botUuid,
        account.slots.map((slot) => automationRunId(automation.id, slot.getTime())),
        account.slots,
      ],
    )
    const { rows } = await db.query<Automation>(
      `UPDATE automations SET accounted_until = greatest(accounted_until, $2),
         next_run_at = CASE WHEN state = 'ended' THEN NULL ELSE $3::timestamptz END,
         state = CASE WHEN $3::timestamptz IS NULL AND NOT EXISTS (
           SELECT 1 FROM automation_runs r WHERE r.automation_id = $1 AND r.state IN ('queued', 'running')) THEN 'ended' ELSE state END
       WHERE id = $1 RETURNING ${AUTOMATION}`,
      [automation.id, account.until, account.nextRunAt],
    )
    const after = rows[0]!
    const events = missed.map((run) => automationRunEvent(run, automation.name))
    const endsNow = after.state === 'ended' && live[0].state !== 'ended'
    if (endsNow) {
      await db.query(
        `UPDATE automations SET version = version + 1, state_reason = 'nothing more to come' WHERE id = $1`,
        [after.id],
      )
      await tellSchedule(db, after.id)
    }
    const told = await tellMissed(db, session, automation, account.unrecorded)
    if (events.length > 0 || told.length > 0 || endsNow) {
      await appendEvents(db, account.sessionKey, [...told, ...events, automationEvent(after)])
    }
    return missed.length
  })
}

/** One line in the chat for all slots that were missed while nobody was there. Those that the run before held up are only recorded. */
async function tellMissed(
  db: Queryable,
  session: Session,
  automation: Automation,
  unrecorded: number,
): Promise<NewEvent[]> {
  const { rows } = await db.query<{ count: number; first: Date | null; last: Date }>(
    `SELECT count(*) AS count, min(r.scheduled_at) AS first, max(r.scheduled_at) AS last
     FROM automation_runs r WHERE r.automation_id = $1 AND ${UNTOLD}`,
    [automation.id],
  )
  const { count, first, last } = rows[0]!
  if (first === null) return []
  const { id, name, timezone } = automation
  const missed = { count: count + unrecorded, first, last, timezone }
  const line = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: describeMissed(name, missed, languageOfPerson(session, automation)),
    sourceKind: 'automation',
    metadata: { automation_id: id, automation_name: name, automation_note: 'missed', missed: missed.count },
  })
  await db.query(`UPDATE automation_runs r SET message_id = $2 WHERE r.automation_id = $1 AND ${UNTOLD}`, [id, line.id])
  return [messageEvent(line)]
}

/**
 * Records do not grow without bound: of each automation the newest `keep` stay. Looks at `limit` automations after the one
 * that was looked at last, and answers the last of them; null when there are no more.
 */
export async function pruneRuns(
  pool: Pool,
  keep: number,
  afterId: string | null,
  limit: number,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM automations WHERE $1::uuid IS NULL OR id > $1::uuid ORDER BY id LIMIT $2`,
    [afterId, limit],
  )
  await pool.query(
    `DELETE FROM automation_runs WHERE id IN (
       SELECT old.id FROM unnest($1::uuid[]) AS looked (id) CROSS JOIN LATERAL (
         SELECT r.id, r.state FROM automation_runs r WHERE r.automation_id = looked.id
         ORDER BY r.scheduled_at DESC OFFSET $2 LIMIT 1000
       ) old WHERE old.state NOT IN ('queued', 'running'))`,
    [rows.map(({ id }) => id), keep],
  )
  return rows.length < limit ? null : rows.at(-1)!.id
}

/** Those whose pause is over: the budget that they had used up begins anew. */
export async function listToResume(pool: Pool, limit: number): Promise<Automation[]> {
  const { rows } = await pool.query<Automation>(
    `SELECT ${AUTOMATION} FROM automations WHERE resume_at <= now() AND state = 'auto_paused' AND deleted_at IS NULL
     ORDER BY resume_at LIMIT $1`,
    [limit],
  )
  return rows
}

/** Those whose dates were told to Temporal so long ago that more of them should follow. */
export async function listToRenew(pool: Pool, afterDays: number, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM automations WHERE recurrence ->> 'kind' = 'rrule' AND deleted_at IS NULL AND state <> 'ended'
       AND synced_at < now() - make_interval(days => $1) ORDER BY synced_at LIMIT $2`,
    [afterDays, limit],
  )
  return rows.map(({ id }) => id)
}
