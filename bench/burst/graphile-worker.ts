import { Logger, run } from 'graphile-worker'
import { openPool, POOL_SIZE } from '../support/services'
import type { BurstSetting, Contender } from './contender'
import { createHistoryTable, insertOne } from './contender'

const TABLE = 'history_graphile'
/** Far below its default of 2,000 ms. */
const POLL_MS = 100

interface Payload {
  key: string
  ref: string
}

/** As many jobs at once as it has connections, polling twenty times as often as by default. */
export async function graphileWorker({ services, closings, count }: BurstSetting): Promise<Contender> {
  await createHistoryTable(services, TABLE)
  const pool = openPool(services.databaseUrl, closings)
  const insert = { name: `insert-${TABLE}`, text: insertOne(TABLE) }
  const runner = await run({
    pgPool: pool,
    concurrency: POOL_SIZE,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    taskList: {
      async message(payload, helpers) {
        const { key, ref } = payload as Payload
        await helpers.query(insert.text, [key, ref])
      },
    },
  })
  closings.add(() => runner.stop())
  return {
    name: 'graphile-worker',
    table: TABLE,
    leadSeconds: 6,
    repeats: 3,
    async promise(dueAt) {
      await services.pool.query(
        `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
           SELECT ROW('message', json_build_object('key', 'session-' || n, 'ref', $2 || '-' || n), NULL, $1::timestamptz,
             NULL::smallint, NULL, NULL::smallint, NULL)::graphile_worker.job_spec
           FROM generate_series(1, $3::int) AS n))`,
        [dueAt, String(dueAt.getTime()), count],
      )
    },
  }
}
