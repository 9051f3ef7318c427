import type { Pool } from 'pg'
import { SESSION_CHANNEL } from '../../contracts/event'
import type { NewMessage } from '../../conversation/message'
import { runWatchKey } from '../contract'
import type { Run, RunEventType, RunStep } from '../contract'
import type { Session } from '../../conversation/session'
import type { JsonObject } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, insertMessage, lockSessionIfThere, messageEvent } from '../../engine/session-writes'
import type { NewEvent, TurnFence } from '../../engine/session-writes'
import { storableJson } from '../../engine/storable'
import { RUN, STEP, toRunEvent } from './rows'
import type { RunEventRow } from './rows'

export interface LockedRun {
  db: Queryable
  run: Run
  session: Session | undefined
  steps: RunStep[]
}

/**
 * Session first, run second: the order of every lock. Undefined when there is no such run. In a session that was deleted
 * nothing is told any more, but its runs still end.
 */
export function withRun<T>(
  pool: Pool,
  id: string,
  work: (locked: LockedRun) => Promise<T>,
  turn?: TurnFence,
): Promise<T | undefined> {
  return inTransaction(pool, async (db) => {
    const found = await db.query<Run>(`SELECT ${RUN} FROM runs WHERE id = $1`, [id])
    const sessionKey = found.rows[0]?.sessionKey
    const session = typeof sessionKey === 'string' ? await lockSessionIfThere(db, sessionKey, turn) : undefined
    const { rows } = await db.query<Run>(`SELECT ${RUN} FROM runs WHERE id = $1 FOR UPDATE`, [id])
    if (!rows[0]) return undefined
    const steps = await db.query<RunStep>(`SELECT ${STEP} FROM run_steps WHERE run_id = $1 ORDER BY step_index`, [id])
    return work({ db, run: rows[0], session, steps: steps.rows })
  })
}

export interface NewRunEvent {
  type: RunEventType
  step?: RunStep
  data: JsonObject
}

/** Numbers and stores an event of a locked run; answers what the session's stream shows, or nothing if it was told before. */
export async function insertRunEvent(db: Queryable, run: Run, event: NewRunEvent): Promise<NewEvent | undefined> {
  const { step } = event
  const data = { ...(step ? { stepId: step.stepId, aiName: step.aiName } : {}), ...event.data }
  const { rows } = await db.query<RunEventRow>(
    `WITH told AS (
       INSERT INTO run_events (run_id, seq, type, step_index, data, created_at)
       SELECT id, event_seq + 1, $2, $3, $4, clock_timestamp() FROM runs WHERE id = $1
       ON CONFLICT DO NOTHING RETURNING *
     ), counted AS (
       UPDATE runs SET event_seq = told.seq FROM told WHERE runs.id = told.run_id
     )
     SELECT * FROM told`,
    [run.id, event.type, step?.stepIndex ?? null, storableJson(data)],
  )
  return rows[0] ? { name: 'run', data: toRunEvent(rows[0]) } : undefined
}

/** Puts the run's news on the session's stream, with the message a person reads, and wakes who watches the run alone. */
export async function publishRunNews(
  { db, run, session }: Pick<LockedRun, 'db' | 'run' | 'session'>,
  news: { events: (NewEvent | undefined)[]; message?: NewMessage },
): Promise<void> {
  const events = news.events.filter((event) => event !== undefined)
  if (session) {
    const message = news.message ? [messageEvent(await insertMessage(db, session, news.message))] : []
    if (events.length + message.length > 0) await appendEvents(db, session.sessionKey, [...events, ...message])
  }
  await db.query(`SELECT pg_notify('${SESSION_CHANNEL}', $1)`, [runWatchKey(run.id)])
}

/** How the list of promises shows a step that has a feedback time. */
export function stepPromiseEvent(step: RunStep, state: string): NewEvent | undefined {
  if (!step.feedbackAt) return undefined
  const data = {
    kind: 'run',
    id: step.runId,
    state,
    due_at: step.feedbackAt.toISOString(),
    summary: step.reason ?? step.aiName,
    late_by_ms: step.lateByMs,
  }
  return { name: 'promise', data }
}
