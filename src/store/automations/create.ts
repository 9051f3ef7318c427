import type { Pool } from 'pg'
import { AUTOMATIONS_PER_SESSION } from '../../contracts/automation'
import type { Automation, LegacyTarget } from '../../contracts/automation'
import type { Recurrence } from '../../contracts/recurrence'
import type { Language } from '../../contracts/words'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import type { TurnFence } from '../session-writes'
import { storableJson, storableText } from '../storable'
import { automationEvent, toAutomation } from './rows'
import type { AutomationRow } from './rows'
import { tellSchedule } from './tell-schedule'

export interface NewAutomation {
  id: string
  name: string
  message: string
  recurrence: Recurrence
  timezone: string
  language: Language
  endsAt: Date | null
  maxRuns: number | null
  nextRunAt: Date | null
  /** An interval counts from here. */
  createdAt: Date
}

/** Row, outbox entry and event are one transaction. Null when the session has as many as it may. */
export function createAutomation(
  pool: Pool,
  sessionKey: string,
  input: NewAutomation & { toolCallId: string | null; turn?: TurnFence },
): Promise<Automation | null> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, sessionKey, input.turn)
    const { rows } = await db.query<{ count: number }>(
      `SELECT count(*) AS count FROM automations
       WHERE session_key = $1 AND deleted_at IS NULL AND state <> 'ended'`,
      [sessionKey],
    )
    if (rows[0]!.count >= AUTOMATIONS_PER_SESSION) return null
    const row = await insertAutomation(db, { ...input, sessionKey, botUuid: session.botUuid, legacy: null })
    await appendEvents(db, sessionKey, [automationEvent(row)])
    return toAutomation(row)
  })
}

/** An imported job keeps what it was; importing it twice changes nothing. */
export function importAutomation(
  pool: Pool,
  input: NewAutomation & { sessionKey: string | null; botUuid: string; legacy: LegacyTarget; enabled: boolean },
): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `SELECT 1 FROM automations WHERE bot_uuid = $1 AND legacy ->> 'oldId' = $2 AND deleted_at IS NULL`,
      [input.botUuid, input.legacy.oldId],
    )
    if (rowCount) return false
    await insertAutomation(db, { ...input, toolCallId: null, state: input.enabled ? 'active' : 'paused' })
    return true
  })
}

async function insertAutomation(
  db: Queryable,
  input: NewAutomation & {
    sessionKey: string | null
    botUuid: string
    legacy: LegacyTarget | null
    toolCallId: string | null
    state?: string
  },
): Promise<AutomationRow> {
  const { rows } = await db.query<AutomationRow>(
    `INSERT INTO automations (id, session_key, bot_uuid, name, message, recurrence, timezone, language, ends_at, max_runs,
       next_run_at, legacy, created_by_tool_call_id, state, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING *`,
    [
      input.id,
      input.sessionKey,
      input.botUuid,
      storableText(input.name),
      storableText(input.message),
      storableJson(input.recurrence),
      input.timezone,
      input.language,
      input.endsAt,
      input.maxRuns,
      input.nextRunAt,
      input.legacy === null ? null : storableJson(input.legacy),
      input.toolCallId,
      input.state ?? 'active',
      input.createdAt,
    ],
  )
  await tellSchedule(db, input.id)
  return rows[0]!
}
