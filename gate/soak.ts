import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from './checker/checker'
import { machine } from './report'
import { settle } from './cases/settled'
import { openRig } from './rig/rig'
import type { Rig } from './rig/rig'
import { wrongClock } from './rig/faketime'
import { sleep } from './rig/wait'
import { startChaos } from './soak/chaos'
import { startLoad } from './soak/load'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    every: { type: 'string', default: '5' },
    out: { type: 'string', default: 'dist/gate-report' },
  },
})

const KILLS = ['worker', 'door', 'temporal', 'postgres', 'clock']
const say = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

/** Memory of the product's processes and PostgreSQL's connections: both must be flat. */
async function measure(rig: Rig): Promise<{ rssMb: number[]; connections: number }> {
  const rssMb = [...rig.doors, ...rig.workers].map(({ pid }) => {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
  })
  const { rows } = await rig.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM pg_stat_activity')
  return { rssMb, connections: rows[0]!.count }
}

async function main(): Promise<void> {
  const minutes = Number(values.minutes)
  if (!wrongClock(0)) say('clocks are left right: there is no libfaketime (Debian package faketime)')
  const rig = await openRig()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void rig.close().then(() => process.exit(130)))
  try {
    const begun = await measure(rig)
    const load = startLoad(rig)
    const chaos = startChaos(rig, { everyMs: 1_000 * Number(values.every), say })
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(60_000)
      say(`minute ${minute}: ${load.promised.length} promised, ${JSON.stringify(chaos.counts)}`)
    }
    await chaos.stop()
    await load.stop()
    say('calm; waiting until all is decided')
    await stopAutomations(rig)
    const account = await settle(
      rig,
      load.promised.filter(({ id }) => !load.cancelled.has(id)),
      { limitMs: 15 * 60_000 },
    )
    const ended = await measure(rig)
    const flagged = await rig.pool.query('SELECT 1 FROM deliveries WHERE possible_duplicate')
    const entries = await rig.receivers.entries()
    const kills = KILLS.reduce((sum, name) => sum + (chaos.counts[name] ?? 0), 0)
    const figures = {
      ...{ minutes, kills, faults: chaos.counts, promised: load.promised.length, asked: load.counts },
      ...{ lost: account.lost, arrivedTwice: account.twice, flagged: flagged.rowCount, ledger: entries.length },
      ...{ lateP50Ms: account.lateP50Ms, lateP99Ms: account.lateP99Ms, begun, ended },
      ...{ biggestMb: percentile(ended.rssMb, 1), misses: account.misses },
    }
    const report = JSON.stringify({ machine: machine(), ...figures }, null, 2)
    fs.mkdirSync(values.out, { recursive: true })
    fs.writeFileSync(path.join(values.out, 'soak.json'), `${report}\n`)
    if (account.misses.length > 0)
      fs.cpSync(path.join(rig.dir, 'logs'), path.join(values.out, 'soak-logs'), { recursive: true })
    process.stdout.write(`${report}\n`)
    process.exitCode = account.misses.length === 0 ? 0 : 1
  } finally {
    await rig.close()
  }
}

/** What repeats would never be decided. */
async function stopAutomations(rig: Rig): Promise<void> {
  const { rows } = await rig.pool.query<{ id: string }>(`SELECT id FROM automations WHERE state = 'active'`)
  for (const { id } of rows) await rig.call('DELETE', `/api/v1/automations/${id}`, { key: rig.bot.key })
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  },
)
