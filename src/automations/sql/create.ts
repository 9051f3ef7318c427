import type { Pool } from 'pg'
import { AUTOMATIONS_PER_SESSION } from '../contract'
import type { Automation, LegacyTarget } from '../contract'
import type { Recurrence } from '../../time/recurrence/contract'
import type { Language } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, lockSession } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { storableJson, storableText } from '../../engine/storable'
import { AUTOMATION, automationEvent } from './rows'
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
    if ((await countLive(db, sessionKey)) >= AUTOMATIONS_PER_SESSION) return null
    const row = await insertAutomation(db, { ...input, sessionKey, botUuid: session.botUuid, legacy: null })
    await appendEvents(db, sessionKey, [automationEvent(row)])
    return row
  })
}

export interface ImportedJob extends NewAutomation {
  /** Only for a job that is bound to a session. */
  sessionKey: string | null
  botUuid: string
  legacy: LegacyTarget
  enabled: boolean
}

/**
 * An imported job keeps what it was. Two imports of the same file, one after the other or at once, are one: who comes second
 * waits for the first and finds the job.
 */
export function importAutomation(pool: Pool, input: ImportedJob): Promise<'imported' | 'known' | 'too_many'> {
  const { sessionKey, botUuid, legacy } = input
  return inTransaction(pool, async (db) => {
    if (sessionKey !== null) await lockSession(db, sessionKey)
    await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`import:${botUuid}:${legacy.oldId}`])
    if ((await listImported(db, botUuid)).includes(legacy.oldId)) return 'known'
    if (sessionKey !== null && (await countLive(db, sessionKey)) >= AUTOMATIONS_PER_SESSION) return 'too_many'
    const row = await insertAutomation(db, { ...input, toolCallId: null, state: input.enabled ? 'active' : 'paused' })
    if (sessionKey !== null) await appendEvents(db, sessionKey, [automationEvent(row)])
    return 'imported'
  })
}

/** The old ids of the jobs that a bot was given by import and still has. */
export async function listImported(db: Queryable, botUuid: string): Promise<string[]> {
  const { rows } = await db.query<{ oldId: string }>(
    `SELECT legacy ->> 'oldId' AS old_id FROM automations
     WHERE bot_uuid = $1 AND legacy IS NOT NULL AND deleted_at IS NULL`,
    [botUuid],
  )
  return rows.map(({ oldId }) => oldId)
}

async function countLive(db: Queryable, sessionKey: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM automations
     WHERE session_key = $1 AND deleted_at IS NULL AND state <> 'ended'`,
    [sessionKey],
  )
  return rows[0]!.count
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
): Promise<Automation> {
  const { rows } = await db.query<Automation>(
    `INSERT INTO automations (id, session_key, bot_uuid, name, message, recurrence, timezone, language, ends_at, max_runs,
       next_run_at, legacy, created_by_tool_call_id, state, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING ${AUTOMATION}`,
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
