import type { Pool } from 'pg'
import type { Automation, AutomationRun, LegacyTarget } from '../../contracts/automation'
import type { JsonObject, Language } from '../../contracts/words'
import type { Queryable } from '../database'
import { toAutomation, toAutomationRun } from './rows'
import type { AutomationRow, AutomationRunRow } from './rows'

export type NamedRun = AutomationRunRow & { name: string; language: Language }

const NAMED_RUN = 'SELECT r.*, a.name, a.language FROM automation_runs r JOIN automations a ON a.id = r.automation_id'

export async function findRun(db: Queryable, runId: string): Promise<NamedRun | undefined> {
  const { rows } = await db.query<NamedRun>(`${NAMED_RUN} WHERE r.id = $1`, [runId])
  return rows[0]
}

export async function findRunOfTurn(db: Queryable, turnId: string): Promise<NamedRun | undefined> {
  const { rows } = await db.query<NamedRun>(`${NAMED_RUN} WHERE r.turn_id = $1`, [turnId])
  return rows[0]
}

export async function findAutomation(pool: Pool, id: string): Promise<Automation | null> {
  const { rows } = await pool.query<AutomationRow>('SELECT * FROM automations WHERE id = $1 AND deleted_at IS NULL', [
    id,
  ])
  return rows[0] ? toAutomation(rows[0]) : null
}

/** The automations of a session, oldest first, so that "the second one" stays the second one. */
export async function listOfSession(pool: Pool, sessionKey: string): Promise<Automation[]> {
  const { rows } = await pool.query<AutomationRow>(
    `SELECT * FROM automations WHERE session_key = $1 AND kind = 'agent_turn' AND deleted_at IS NULL
     ORDER BY created_at, id LIMIT 200`,
    [sessionKey],
  )
  return rows.map(toAutomation)
}

/** The newest run of each, and whether one waits for its turn. */
export async function latestRuns(
  pool: Pool,
  automationIds: string[],
): Promise<Map<string, { lastRun: AutomationRun | null; queued: boolean }>> {
  const { rows } = await pool.query<AutomationRunRow & { is_queued: boolean }>(
    `SELECT r.*, EXISTS (SELECT 1 FROM automation_runs q WHERE q.automation_id = r.automation_id AND q.state = 'queued') AS is_queued
     FROM unnest($1::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
       SELECT * FROM automation_runs WHERE automation_id = wanted.id ORDER BY scheduled_at DESC LIMIT 1
     ) r`,
    [automationIds],
  )
  return new Map(rows.map((row) => [row.automation_id, { lastRun: toAutomationRun(row), queued: row.is_queued }]))
}

export async function listRuns(pool: Pool, automationId: string, limit: number): Promise<AutomationRun[]> {
  const { rows } = await pool.query<AutomationRunRow>(
    'SELECT * FROM automation_runs WHERE automation_id = $1 ORDER BY scheduled_at DESC LIMIT $2',
    [automationId, limit],
  )
  return rows.map(toAutomationRun)
}

export interface RunRecord extends AutomationRun {
  name: string
  message: string
  language: Language
  botUuid: string
  renderedPrompt: string | null
  variables: JsonObject | null
  legacy: LegacyTarget | null
}

/** A run with what was asked of the model, for the one who runs it or looks into it. */
export async function findRunRecord(pool: Pool, runId: string): Promise<RunRecord | null> {
  const { rows } = await pool.query<
    NamedRun & { message: string; variables: JsonObject | null; legacy: LegacyTarget | null }
  >(
    `SELECT r.*, a.name, a.language, a.message, a.legacy
     FROM automation_runs r JOIN automations a ON a.id = r.automation_id WHERE r.id = $1`,
    [runId],
  )
  const row = rows[0]
  if (!row) return null
  const { name, message, language, bot_uuid: botUuid, rendered_prompt: renderedPrompt, variables, legacy } = row
  return { ...toAutomationRun(row), name, message, language, botUuid, renderedPrompt, variables, legacy }
}
