import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { automationRunId, automationRunRef, CATCH_UP_MS } from '../contract'
import type { Automation, AutomationRun, MissedCause, QueueOutcome } from '../contract'
import type { Session } from '../../conversation/session'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { enqueueTurn } from '../../conversation'
import { appendEvents, lockSessionIfThere } from '../../engine/session-writes'
import type { NewEvent } from '../../engine/session-writes'
import { AUTOMATION, AUTOMATION_RUN, automationEvent, automationRunEvent } from './rows'

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
    const session = await lockSessionIfThere(db, due.sessionKey)
    const automation = session && (await lockLive(db, due))
    if (!session || !automation) return { state: 'gone' }
    const { rows } = await db.query<AutomationRun>(
      `SELECT ${AUTOMATION_RUN} FROM automation_runs WHERE automation_id = $1 AND scheduled_at = $2`,
      [due.automationId, due.slot],
    )
    const known = rows[0]
    if (known && known.state !== 'missed') return outcomeOf(known)
    const late = await isTooLate(db, automation, due)
    if (known && late) return outcomeOf(known)
    const run = await writeRun(db, session, due, late)
    await db.query('UPDATE automations SET next_run_at = $2 WHERE id = $1', [due.automationId, due.nextRunAt])
    const events = [automationRunEvent(run, automation.name)]
    await appendEvents(db, session.sessionKey, [
      ...(late ? [] : await giveTurn(db, run, automation.name)),
      ...events,
      // While its last run waits, that run is what is due.
      automationEvent({ ...automation, nextRunAt: due.nextRunAt ?? due.slot }),
    ])
    return outcomeOf(run)
  })
}

const outcomeOf = ({ id, state }: AutomationRun): QueueOutcome =>
  state === 'queued' || state === 'running' ? { state: 'queued', runId: id } : { state }

async function lockLive(db: Queryable, { automationId, slot }: DueSlot): Promise<Automation | undefined> {
  const { rows } = await db.query<Automation>(
    `SELECT ${AUTOMATION} FROM automations WHERE id = $1 AND deleted_at IS NULL AND state = 'active'
       AND (max_runs IS NULL OR runs_count < max_runs) AND (ends_at IS NULL OR ends_at >= $2) FOR UPDATE`,
    [automationId, slot],
  )
  return rows[0]
}

/** The run's place in the session's queue. What the person will read of it is stored when the turn starts. */
async function giveTurn(db: Queryable, run: AutomationRun, name: string): Promise<NewEvent[]> {
  const about = { automation_id: run.automationId, automation_name: name, automation_run_id: run.id }
  const { turn, event } = await enqueueTurn(db, {
    id: uuidv7(),
    sessionKey: run.sessionKey,
    origin: 'automation',
    holder: 'nobody yet',
    input: { message: automationRunRef(run.id), senderId: 'automation', metadata: about },
  })
  await db.query('UPDATE automation_runs SET turn_id = $2 WHERE id = $1', [run.id, turn.id])
  return [event]
}

/** What happens once is late rather than never; nothing runs when its end has passed. */
async function isTooLate(db: Queryable, automation: Automation, { slot, startedAt }: DueSlot): Promise<boolean> {
  const since = new Date(Math.max(slot.getTime(), startedAt.getTime()))
  const { rows } = await db.query<{ late: boolean; over: boolean }>(
    `SELECT now() - $1::timestamptz > make_interval(secs => $2) AS late,
       coalesce(now() > $3::timestamptz + interval '1 minute', false) AS over`,
    [since, CATCH_UP_MS / 1_000, automation.endsAt],
  )
  const { late, over } = rows[0]!
  return over || (late && automation.recurrence.kind !== 'at')
}

async function writeRun(
  db: Queryable,
  session: Session,
  { automationId, slot, workflowId }: DueSlot,
  late: boolean,
): Promise<AutomationRun> {
  const { rows } = await db.query<AutomationRun>(
    `INSERT INTO automation_runs (id, automation_id, session_key, bot_uuid, scheduled_at, state, workflow_id, error, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6::text, $7, $8, CASE WHEN $6 = 'missed' THEN now() END)
     ON CONFLICT (automation_id, scheduled_at) DO UPDATE SET state = excluded.state, workflow_id = excluded.workflow_id,
       error = excluded.error, ended_at = excluded.ended_at, queued_at = now()
     RETURNING ${AUTOMATION_RUN}`,
    [
      automationRunId(automationId, slot.getTime()),
      automationId,
      session.sessionKey,
      session.botUuid,
      slot,
      late ? 'missed' : 'queued',
      workflowId,
      late ? ('too_late' satisfies MissedCause) : null,
    ],
  )
  return rows[0]!
}
