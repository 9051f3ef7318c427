import PgBoss from 'pg-boss'
import { openPool, POOL_SIZE } from '../support/services'
import { say } from '../support/run-bench'
import type { BurstSetting, Contender } from './contender'
import { createHistoryTable, insertMany, insertOne } from './contender'

const QUEUE = 'messages'
/** Together they can fetch a burst of 2,000 in one look: between two looks pg-boss waits. */
const BATCH = 500
const WORKERS = 4
/** The shortest that pg-boss allows. */
const POLLING_SECONDS = 0.5

interface Payload {
  key: string
  ref: string
}

/** Several workers that fetch batches at its shortest polling; each job writes its row, or each batch in one statement. */
export async function pgBoss(setting: BurstSetting, writing: 'row by row' | 'by the batch'): Promise<Contender> {
  const { services, closings, count } = setting
  const schema = writing === 'row by row' ? 'boss_rows' : 'boss_batches'
  const table = `history_${schema}`
  await createHistoryTable(services, table)
  const boss = new PgBoss({ connectionString: services.databaseUrl, max: POOL_SIZE, schema, schedule: false })
  boss.on('error', (error) => say(error.message))
  await boss.start()
  closings.add(() => boss.stop({ graceful: false, wait: true }))
  const pool = openPool(services.databaseUrl, closings)
  await boss.createQueue(QUEUE)

  const row = { name: `insert-${table}`, text: insertOne(table) }
  const rowByRow = (jobs: PgBoss.Job<Payload>[]) =>
    Promise.all(jobs.map(({ data }) => pool.query({ ...row, values: [data.key, data.ref] })))
  const byTheBatch = (jobs: PgBoss.Job<Payload>[]) =>
    pool.query(insertMany(table, 'unnest($1::text[], $2::text[]) AS job (key, ref)'), [
      jobs.map(({ data }) => data.key),
      jobs.map(({ data }) => data.ref),
    ])
  const options = { pollingIntervalSeconds: POLLING_SECONDS, batchSize: BATCH }
  for (let worker = 0; worker < WORKERS; worker++) {
    await boss.work<Payload>(QUEUE, options, writing === 'row by row' ? rowByRow : byTheBatch)
  }
  return {
    name: `pg-boss, ${writing}`,
    table,
    leadSeconds: 4,
    repeats: 3,
    async promise(dueAt) {
      const jobs = Array.from({ length: count }, (_, index) => ({
        name: QUEUE,
        data: { key: `session-${index}`, ref: `${dueAt.getTime()}-${index}` },
        startAfter: dueAt.toISOString(),
      }))
      await boss.insert(jobs)
    },
  }
}
