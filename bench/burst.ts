import { setTimeout as sleep } from 'node:timers/promises'
import type { BurstSetting, Contender } from './burst/contender'
import { graphileWorker } from './burst/graphile-worker'
import { pgBoss } from './burst/pg-boss'
import { polledTable } from './burst/polled-table'
import { punctual } from './burst/punctual'
import { print, runBench, say, withClosings } from './support/run-bench'
import type { Services } from './support/services'
import { startServices } from './support/services'
import { percentile } from './support/statistics'
import { formatTable, times, whole } from './support/table'

/** npm run bench burst [count] [rounds of ours]: many messages due at one instant, beside three other ways to keep them. */
const WITHIN_MS = 60_000
const MAKERS: ((setting: BurstSetting, rounds: number) => Promise<Contender>)[] = [
  punctual,
  (setting) => pgBoss(setting, 'row by row'),
  (setting) => pgBoss(setting, 'by the batch'),
  graphileWorker,
  polledTable,
]

interface Result {
  name: string
  bursts: number
  p50: number
  p99: number
  max: number
  settleSeconds: number
}

runBench(async (closings, [count = 2_000, rounds = 1]) => {
  print(
    `${whole(count)} messages due at the same instant; lateness is from the instant to the commit of the row,\nover all bursts of a contender (who polls is met in different phases of its polling).\n`,
  )
  const services = await startServices(closings)
  const results: Result[] = []
  // One contender at a time, alone on the machine: it is shut down before the next begins.
  for (const make of MAKERS) {
    results.push(await withClosings(closings, (own) => compete(make, { services, closings: own, count }, rounds)))
  }
  report(results)
})

async function compete(make: (typeof MAKERS)[number], setting: BurstSetting, rounds: number): Promise<Result> {
  const contender = await make(setting, rounds)
  const all: number[] = []
  let settleSeconds = Number.NaN
  for (let repeat = 1; repeat <= contender.repeats; repeat++) {
    const latenesses = await burst(contender, setting)
    say(
      `${contender.name} ${repeat}: p50 ${whole(percentile(latenesses, 0.5))}, p99 ${whole(percentile(latenesses, 0.99))}`,
    )
    all.push(...latenesses)
    settleSeconds = (await contender.settle?.()) ?? Number.NaN
  }
  const figures = { p50: percentile(all, 0.5), p99: percentile(all, 0.99), max: percentile(all, 1) }
  return { name: contender.name, bursts: contender.repeats, ...figures, settleSeconds }
}

async function burst(contender: Contender, { services, count }: BurstSetting): Promise<number[]> {
  const { pool } = services
  await pool.query(`TRUNCATE ${contender.table}`)
  await pool.query('CHECKPOINT')
  const dueAt = new Date(Date.now() + 1_000 * contender.leadSeconds)
  await contender.promise(dueAt)
  if (Date.now() > dueAt.getTime()) throw new Error(`${contender.name} could not promise in time`)
  await sleep(dueAt.getTime() - Date.now() + 1_500)
  while ((await countRows(services, contender)) < count) {
    if (Date.now() > dueAt.getTime() + WITHIN_MS) throw new Error(`${contender.name} lost some`)
    await sleep(500)
  }
  const { rows } = await pool.query<{ late: number }>(
    `SELECT (1000 * extract(epoch FROM pg_xact_commit_timestamp(xmin) - $1::timestamptz))::float8 AS late
     FROM ${contender.table}`,
    [dueAt],
  )
  if (rows.length !== count) throw new Error(`${contender.name} wrote ${rows.length} rows for ${count} promises`)
  return rows.map(({ late }) => late)
}

async function countRows({ pool }: Services, { table }: Contender): Promise<number> {
  const { rows } = await pool.query<{ count: string | number }>(`SELECT count(*) AS count FROM ${table}`)
  return Number(rows[0]!.count)
}

function report(results: Result[]): void {
  const ours = results[0]!
  const rows = results.map(({ name, bursts, p50, p99, max }) => [
    name,
    ...[`${bursts}`, whole(p50), whole(p99), whole(max), times(p99 / ours.p99)],
  ])
  print(formatTable(['contender', 'bursts', 'p50 ms', 'p99 ms', 'max ms', 'p99 to ours'], rows))
  print(`\nThe workflows of the last burst had all ended ${whole(ours.settleSeconds)} s after their rows.`)
}
