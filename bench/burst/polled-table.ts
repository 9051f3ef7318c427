import { openPool } from '../support/services'
import type { BurstSetting, Contender } from './contender'
import { createHistoryTable, insertMany } from './contender'

const TABLE = 'history_polled'
const POLL_MS = 1_000
const BATCH = 2_000
/** The instant falls anywhere between two looks: evenly, over as many bursts. */
const PHASES = 5

const MOVE = `
WITH due AS (
  SELECT id, key, ref FROM polled_jobs WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM polled_jobs USING due WHERE polled_jobs.id = due.id
)
${insertMany(TABLE, 'due')}`

/** What one would write oneself: a table that is looked at every second, and what is due moved by one statement. */
export async function polledTable({ services, closings, count }: BurstSetting): Promise<Contender> {
  await createHistoryTable(services, TABLE)
  await services.pool.query(
    'CREATE TABLE polled_jobs (id bigserial PRIMARY KEY, due_at timestamptz, key text, ref text)',
  )
  await services.pool.query('CREATE INDEX ON polled_jobs (due_at)')
  const pool = openPool(services.databaseUrl, closings, 1)
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let burst = 0
  const look = async () => {
    const begun = Date.now()
    while ((await pool.query(MOVE)).rowCount === BATCH);
    timer = setTimeout(run, Math.max(0, POLL_MS - (Date.now() - begun)))
  }
  const run = () => void (looking = look().catch(() => undefined))
  closings.add(async () => {
    clearTimeout(timer)
    await looking
    clearTimeout(timer)
  })
  return {
    name: 'table polled every second',
    table: TABLE,
    leadSeconds: 3,
    repeats: PHASES,
    async promise(dueAt) {
      await services.pool.query(
        `INSERT INTO polled_jobs (due_at, key, ref)
         SELECT $1, 'session-' || n, $2 || '-' || n FROM generate_series(1, $3::int) AS n`,
        [dueAt, String(dueAt.getTime()), count],
      )
      clearTimeout(timer)
      const phaseMs = (POLL_MS * (burst++ + 0.5)) / PHASES
      timer = setTimeout(run, (dueAt.getTime() + phaseMs - Date.now()) % POLL_MS)
    },
  }
}
