import type { Pool } from 'pg'
import type { Automation, AutomationRun, LegacyTarget } from '../contract'
import type { JsonObject, Language } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { AUTOMATION, AUTOMATION_RUN } from './rows'

export type NamedRun = AutomationRun & { name: string; language: Language }

const OF_AUTOMATION = 'FROM automation_runs JOIN automations a ON a.id = automation_runs.automation_id'
const NAMED_RUN = `SELECT ${AUTOMATION_RUN}, a.name, a.language ${OF_AUTOMATION}`

export async function findRun(db: Queryable, runId: string): Promise<NamedRun | undefined> {
  const { rows } = await db.query<NamedRun>(`${NAMED_RUN} WHERE automation_runs.id = $1`, [runId])
  return rows[0]
}

export async function findRunOfTurn(db: Queryable, turnId: string): Promise<NamedRun | undefined> {
  const { rows } = await db.query<NamedRun>(`${NAMED_RUN} WHERE automation_runs.turn_id = $1`, [turnId])
  return rows[0]
}

export async function findAutomation(pool: Pool, id: string): Promise<Automation | null> {
  const { rows } = await pool.query<Automation>(
    `SELECT ${AUTOMATION} FROM automations WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  )
  return rows[0] ?? null
}

const OF_THREADS = `session_key IN (
  SELECT thread.session_key FROM sessions here JOIN sessions thread ON thread.bot_uuid = here.bot_uuid
  WHERE here.session_key = $1 AND thread.channel = 'web' AND thread.launcher_type = 'person' AND thread.deleted_at IS NULL)`

/**
 * The automations of a session, oldest first, so that "the second one" stays the second one. With threads, also those of
 * the web threads of its bot, which are read in it.
 */
export async function listOfSession(
  pool: Pool,
  sessionKey: string,
  { withThreads }: { withThreads: boolean },
): Promise<Automation[]> {
  const { rows } = await pool.query<Automation>(
    `SELECT ${AUTOMATION} FROM automations WHERE ${withThreads ? OF_THREADS : 'session_key = $1'}
       AND kind = 'agent_turn' AND deleted_at IS NULL ORDER BY created_at, id LIMIT 200`,
    [sessionKey],
  )
  return rows
}

/** The newest run of each, and whether one waits for its turn. */
export async function latestRuns(
  pool: Pool,
  automationIds: string[],
): Promise<Map<string, { lastRun: AutomationRun | null; queued: boolean }>> {
  const { rows } = await pool.query<AutomationRun & { queued: boolean }>(
    `SELECT ${AUTOMATION_RUN},
       EXISTS (SELECT 1 FROM automation_runs q WHERE q.automation_id = wanted.id AND q.state = 'queued') AS queued
     FROM unnest($1::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
       SELECT * FROM automation_runs WHERE automation_id = wanted.id ORDER BY scheduled_at DESC LIMIT 1
     ) automation_runs`,
    [automationIds],
  )
  return new Map(rows.map(({ queued, ...lastRun }) => [lastRun.automationId, { lastRun, queued }]))
}

export async function listRuns(pool: Pool, automationId: string, limit: number): Promise<AutomationRun[]> {
  const { rows } = await pool.query<AutomationRun>(
    `SELECT ${AUTOMATION_RUN} FROM automation_runs WHERE automation_id = $1 ORDER BY scheduled_at DESC LIMIT $2`,
    [automationId, limit],
  )
  return rows
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
  const { rows } = await pool.query<RunRecord>(
    `SELECT ${AUTOMATION_RUN}, automation_runs.bot_uuid, rendered_prompt, variables, a.name, a.language, a.message, a.legacy
     ${OF_AUTOMATION} WHERE automation_runs.id = $1`,
    [runId],
  )
  return rows[0] ?? null
}
