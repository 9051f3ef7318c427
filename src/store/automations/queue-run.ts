import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { automationRunId, CATCH_UP_MS } from '../../contracts/automation'
import type { QueueOutcome } from '../../contracts/automation'
import type { Session } from '../../contracts/session'
import { AppError } from '../../errors'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import { automationEvent, automationRunEvent } from './rows'
import type { AutomationRow, AutomationRunRow } from './rows'
import { enqueueRunTurn } from './run-turn'

export interface DueSlot {
  automationId: string
  sessionKey: string
  slot: Date
  /** When Temporal started the workflow: a buffered slot is old without being late. */
  startedAt: Date
  workflowId: string
  nextRunAt: Date | null
}

/** A due slot becomes a run that waits for its turn, or is recorded as missed; one row per slot, whoever asks how often. */
export function queueRun(pool: Pool, due: DueSlot): Promise<QueueOutcome> {
  return inTransaction(pool, async (db): Promise<QueueOutcome> => {
    const session = await lockIfThere(db, due.sessionKey)
    const automation = session && (await lockLive(db, due))
    if (!session || !automation) return { state: 'gone' }
    const { rows } = await db.query<AutomationRunRow>(
      'SELECT * FROM automation_runs WHERE automation_id = $1 AND scheduled_at = $2',
      [due.automationId, due.slot],
    )
    const known = rows[0]
    if (known && known.state !== 'missed') return standing(known)
    const late = await isTooLate(db, due)
    if (known && late) return standing(known)
    const run = await writeRun(db, session, due, late ? 'missed' : 'queued')
    await db.query('UPDATE automations SET next_run_at = $2 WHERE id = $1', [due.automationId, due.nextRunAt])
    const events = [automationRunEvent(run, automation.name)]
    const turn = late
      ? []
      : await enqueueRunTurn(db, run, { id: uuidv7(), holder: 'nobody yet', name: automation.name })
    await appendEvents(db, session.sessionKey, [
      ...turn,
      ...events,
      automationEvent({ ...automation, next_run_at: due.nextRunAt }),
    ])
    return standing(run)
  })
}

const standing = ({ id, state }: AutomationRunRow): QueueOutcome =>
  state === 'queued' || state === 'running' ? { state: 'queued', runId: id } : { state }

async function lockIfThere(db: Queryable, sessionKey: string): Promise<Session | undefined> {
  try {
    return await lockSession(db, sessionKey)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

async function lockLive(db: Queryable, { automationId, slot }: DueSlot): Promise<AutomationRow | undefined> {
  const { rows } = await db.query<AutomationRow>(
    `SELECT * FROM automations WHERE id = $1 AND deleted_at IS NULL AND state = 'active'
       AND (max_runs IS NULL OR runs_count < max_runs) AND (ends_at IS NULL OR ends_at >= $2) FOR UPDATE`,
    [automationId, slot],
  )
  return rows[0]
}

async function isTooLate(db: Queryable, { slot, startedAt }: DueSlot): Promise<boolean> {
  const since = new Date(Math.max(slot.getTime(), startedAt.getTime()))
  const { rows } = await db.query<{ late: boolean }>(
    `SELECT now() - $1::timestamptz > make_interval(secs => $2) AS late`,
    [since, CATCH_UP_MS / 1_000],
  )
  return rows[0]!.late
}

async function writeRun(
  db: Queryable,
  session: Session,
  { automationId, slot, workflowId }: DueSlot,
  state: 'queued' | 'missed',
): Promise<AutomationRunRow> {
  const { rows } = await db.query<AutomationRunRow>(
    `INSERT INTO automation_runs (id, automation_id, session_key, bot_uuid, scheduled_at, state, workflow_id, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6::text, $7, CASE WHEN $6 = 'missed' THEN now() END)
     ON CONFLICT (automation_id, scheduled_at) DO UPDATE SET state = excluded.state, workflow_id = excluded.workflow_id,
       ended_at = excluded.ended_at, queued_at = now()
     RETURNING *`,
    [
      automationRunId(automationId, slot.getTime()),
      automationId,
      session.sessionKey,
      session.botUuid,
      slot,
      state,
      workflowId,
    ],
  )
  return rows[0]!
}
