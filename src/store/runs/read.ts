import type { Pool } from 'pg'
import type { Run, RunEvent, RunStep } from '../../contracts/run'
import { toRun, toRunEvent, toStep } from './rows'
import type { RunEventRow, RunRow, StepRow } from './rows'

export async function findRun(pool: Pool, id: string): Promise<{ run: Run; steps: RunStep[] } | null> {
  const { rows } = await pool.query<RunRow>('SELECT * FROM runs WHERE id = $1', [id])
  if (!rows[0]) return null
  const steps = await pool.query<StepRow>('SELECT * FROM run_steps WHERE run_id = $1 ORDER BY step_index', [id])
  return { run: toRun(rows[0]), steps: steps.rows.map(toStep) }
}

export interface RunFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  status?: string
  limit: number
}

/** The newest first, each with its steps. A call that the model waited for is part of its turn and not listed. */
export async function listRuns(pool: Pool, filter: RunFilter): Promise<{ run: Run; steps: RunStep[] }[]> {
  const { rows } = await pool.query<RunRow>(
    `SELECT * FROM runs WHERE origin <> 'call' AND ($1::text[] IS NULL OR bot_uuid = ANY ($1))
       AND ($2::text IS NULL OR session_key = $2) AND ($3::text IS NULL OR status = $3)
     ORDER BY created_at DESC LIMIT $4`,
    [filter.bots === 'all' ? null : filter.bots, filter.sessionKey ?? null, filter.status ?? null, filter.limit],
  )
  const steps = await pool.query<StepRow>(
    'SELECT * FROM run_steps WHERE run_id = ANY ($1::uuid[]) ORDER BY run_id, step_index',
    [rows.map(({ id }) => id)],
  )
  return rows.map((row) => ({
    run: toRun(row),
    steps: steps.rows.filter((step) => step.run_id === row.id).map(toStep),
  }))
}

export async function listRunEvents(pool: Pool, id: string, afterSeq: number, limit: number): Promise<RunEvent[]> {
  const { rows } = await pool.query<RunEventRow>(
    'SELECT * FROM run_events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    [id, afterSeq, limit],
  )
  return rows.map(toRunEvent)
}

/** Of these ids, the runs that are still running. */
export async function filterRunning(pool: Pool, ids: string[]): Promise<Run[]> {
  const { rows } = await pool.query<RunRow>(`SELECT * FROM runs WHERE id = ANY ($1::uuid[]) AND status = 'running'`, [
    ids,
  ])
  return rows.map(toRun)
}

/** Ids of the runs of a session that are still running. */
export async function listRunning(pool: Pool, sessionKey: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM runs WHERE session_key = $1 AND status = 'running' ORDER BY created_at`,
    [sessionKey],
  )
  return rows.map(({ id }) => id)
}

/** Runs of some age that wait for no feedback time; the reconciler asks Temporal about each. */
export async function listStaleRuns(pool: Pool, olderThanSeconds: number, limit: number): Promise<Run[]> {
  const { rows } = await pool.query<RunRow>(
    `SELECT * FROM runs WHERE status = 'running' AND created_at < now() - make_interval(secs => $1) AND NOT EXISTS (
       SELECT 1 FROM run_steps s WHERE s.run_id = runs.id AND s.feedback_at > now())
     ORDER BY created_at LIMIT $2`,
    [olderThanSeconds, limit],
  )
  return rows.map(toRun)
}
