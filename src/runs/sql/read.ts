import type { Pool } from 'pg'
import type { Run, RunEvent, RunStep } from '../contract'
import { RUN, STEP, toRunEvent } from './rows'
import type { RunEventRow } from './rows'

export async function findRun(pool: Pool, id: string): Promise<{ run: Run; steps: RunStep[] } | null> {
  const { rows } = await pool.query<Run>(`SELECT ${RUN} FROM runs WHERE id = $1`, [id])
  if (!rows[0]) return null
  const steps = await pool.query<RunStep>(`SELECT ${STEP} FROM run_steps WHERE run_id = $1 ORDER BY step_index`, [id])
  return { run: rows[0], steps: steps.rows }
}

export interface RunFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  status?: string
  limit: number
}

/** The newest first, each with its steps. A call that the model waited for is part of its turn and not listed. */
export async function listRuns(pool: Pool, filter: RunFilter): Promise<{ run: Run; steps: RunStep[] }[]> {
  const { rows } = await pool.query<Run>(
    `SELECT ${RUN} FROM runs WHERE origin <> 'call' AND ($1::text[] IS NULL OR bot_uuid = ANY ($1))
       AND ($2::text IS NULL OR session_key = $2) AND ($3::text IS NULL OR status = $3)
     ORDER BY created_at DESC LIMIT $4`,
    [filter.bots === 'all' ? null : filter.bots, filter.sessionKey ?? null, filter.status ?? null, filter.limit],
  )
  const steps = await pool.query<RunStep>(
    `SELECT ${STEP} FROM run_steps WHERE run_id = ANY ($1::uuid[]) ORDER BY run_id, step_index`,
    [rows.map(({ id }) => id)],
  )
  return rows.map((run) => ({ run, steps: steps.rows.filter(({ runId }) => runId === run.id) }))
}

export async function listRunEvents(pool: Pool, id: string, afterSeq: number, limit: number): Promise<RunEvent[]> {
  const { rows } = await pool.query<RunEventRow>(
    'SELECT * FROM run_events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    [id, afterSeq, limit],
  )
  return rows.map(toRunEvent)
}

/** Ids of the runs of a session that are still running. */
export async function listRunning(pool: Pool, sessionKey: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM runs WHERE session_key = $1 AND status = 'running' ORDER BY created_at`,
    [sessionKey],
  )
  return rows.map(({ id }) => id)
}
