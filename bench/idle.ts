import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { readConfig } from '../src/config'
import { findDatabase } from '../src/embedded/find-database'
import { readMark } from '../src/embedded/lock'
import { formatTable } from './support/table'

const SECONDS = Number(process.argv[2] ?? 30)
const TICKS_A_SECOND = 100

interface Watched {
  name: string
  pid: number
}

const OURS = ['npm start', 'front door', 'worker']

/** `npm run bench idle [seconds]`: what a Punctual that runs here (`npm start`) holds and does while nobody is there. */
async function main(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the figures come from /proc, which only Linux has')
  const config = readConfig()
  const watched = findProcesses(config.dataDir)
  const client = new Client({ connectionString: await findDatabase(config) })
  await client.connect()
  const before = { ticks: watched.map(ticksOf), commits: await countCommits(client) }
  await pause(SECONDS * 1_000)
  const rows = watched.map((each, index) => {
    const cpu = (ticksOf(each) - (before.ticks[index] ?? 0)) / TICKS_A_SECOND / SECONDS
    return [each.name, (memoryOf(each) / 1e6).toFixed(0), (cpu * 100).toFixed(2)]
  })
  // Reading the counter is a commit of its own.
  const commits = (await countCommits(client)) - before.commits - 1
  await client.end()
  process.stdout.write(`${formatTable(['process', 'MB', '% of a core'], rows)}\n`)
  const total = (counted: string[][]) => counted.reduce((sum, row) => sum + Number(row[2]), 0).toFixed(2)
  const ours = rows.filter(([name = '']) => OURS.includes(name))
  process.stdout.write(
    `${OURS.join(', ')} together ${total(ours)} % of a core, with the services ${total(rows)} %; ` +
      `${(commits / SECONDS).toFixed(1)} commits a second; ${SECONDS} s; load of the machine ${os.loadavg()[0]?.toFixed(1)}\n`,
  )
}

function findProcesses(dataDir: string): Watched[] {
  const main = readMark(path.join(dataDir, 'lock.json'))?.pid
  if (main === undefined) throw new Error(`nothing runs in ${dataDir}: "npm start" first, or set PUNCTUAL_DATA_DIR`)
  const names: [RegExp, string][] = [
    [/src\/server\.js/, 'front door'],
    [/src\/worker\.js/, 'worker'],
    [/start-dev/, 'Temporal'],
    [/postgres.* -D /, 'PostgreSQL'],
  ]
  const children = childrenOf(main)
  const found = names.flatMap(([pattern, name]) => {
    const pid = children.find((child) => pattern.test(readProc(child, 'cmdline').replaceAll('\0', ' ')))
    return pid === undefined ? [] : [{ name, pid }]
  })
  return [{ name: 'npm start', pid: main }, ...found]
}

const childrenOf = (parent: number): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(parent))
    .map(Number)

function readProc(pid: number, name: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** The fields of /proc/<pid>/stat from the state on. */
function statOf(pid: number): string[] | undefined {
  const stat = readProc(pid, 'stat')
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** PostgreSQL works in children, which come and go. */
const familyOf = ({ name, pid }: Watched): number[] => (name === 'PostgreSQL' ? [pid, ...childrenOf(pid)] : [pid])

/** User and system time; of PostgreSQL that of children who have ended too. */
const ticksOf = (watched: Watched): number =>
  familyOf(watched)
    .flatMap((pid) => statOf(pid)?.slice(11, watched.name === 'PostgreSQL' && pid === watched.pid ? 15 : 13) ?? [])
    .reduce((sum, ticks) => sum + Number(ticks), 0)

/** Resident memory of a process; of PostgreSQL's many what they share is counted once. */
function memoryOf(watched: Watched): number {
  const isShared = watched.name === 'PostgreSQL'
  const file = isShared ? 'smaps_rollup' : 'status'
  const line = isShared ? /^Pss:\s+(\d+)/m : /^VmRSS:\s+(\d+)/m
  const kilobytes = familyOf(watched).map((pid) => Number(line.exec(readProc(pid, file))?.[1] ?? 0))
  return kilobytes.reduce((sum, each) => sum + each * 1024, 0)
}

async function countCommits(client: Client): Promise<number> {
  const { rows } = await client.query<{ commits: string }>(
    'SELECT sum(xact_commit) AS commits FROM pg_stat_database WHERE datname = current_database()',
  )
  return Number(rows[0]?.commits ?? 0)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
