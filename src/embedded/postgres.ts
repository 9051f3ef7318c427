import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { openLogFile, tailLogFile } from './log-file'
import { requireFreePort } from './ports'
import type { PostgresLauncher } from './postgres-binaries'
import { createPostgresLauncher } from './postgres-binaries'
import { clearStalePidFile, findPostmaster, initialiseFolder } from './postgres-folder'
import { endProcess, sendSignal, untilExit } from './process'
import type { Launched, RunningService } from './service'
import { adopted } from './service'
import { pause, waitUntil } from './wait'

const READY_WITHIN_MS = 60_000
const START_ATTEMPTS = 5

export interface PostgresOptions {
  /** PostgreSQL's own folder; its log is written beside it. */
  dir: string
  port: number
  password: string
  settings?: Record<string, string>
}

export interface EmbeddedPostgres extends RunningService {
  url(database: string): string
}

/** Starts PostgreSQL on its folder, or adopts the one that still runs there. Loopback only, password by scram. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  fs.mkdirSync(path.dirname(options.dir), { recursive: true, mode: 0o700 })
  const launcher = createPostgresLauncher()
  initialiseFolder(launcher, options.dir, options.password)
  const found = await adopt(options)
  const { pid, ended } = found === undefined ? await launch(launcher, options) : adopted(found)
  return {
    pid,
    ended,
    adopted: found !== undefined,
    url: (database) => postgresUrl(options, database),
    kill: () => sendSignal(pid, 'SIGQUIT'),
    async stop() {
      // SIGINT is PostgreSQL's "fast" shutdown: it ends sessions and writes everything down.
      await endProcess(pid, [
        { signal: 'SIGINT', timeoutMs: 20_000 },
        { signal: 'SIGQUIT', timeoutMs: 5_000 },
        { signal: 'SIGKILL', timeoutMs: 5_000 },
      ])
    },
  }
}

export function postgresUrl({ port, password }: Pick<PostgresOptions, 'port' | 'password'>, database: string): string {
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

/** One that runs but does not answer on our port, even after recovery, is stopped so that it can be replaced. */
async function adopt(options: PostgresOptions): Promise<number | undefined> {
  const pid = findPostmaster(options.dir)
  if (pid === undefined) return undefined
  const settled = () => findPostmaster(options.dir) !== pid || isReady(options)
  const inTime = await waitUntil(settled, { timeoutMs: 30_000, everyMs: 100 })
  if (inTime && findPostmaster(options.dir) === pid) return pid
  await endProcess(pid, [
    { signal: 'SIGINT', timeoutMs: 10_000 },
    { signal: 'SIGKILL', timeoutMs: 5_000 },
  ])
  return undefined
}

async function launch(launcher: PostgresLauncher, options: PostgresOptions): Promise<Launched> {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    await clearStalePidFile(options.dir)
    await requireFreePort(options.port)
    const launched = await launchOnce(launcher, options)
    if (launched !== undefined) return launched
    await pause(300 * attempt)
  }
  throw new Error(`PostgreSQL did not start:\n${tailLogFile(logFile(options))}`)
}

/** Resolves once it answers, or to nothing when it ended before that. */
async function launchOnce(launcher: PostgresLauncher, options: PostgresOptions): Promise<Launched | undefined> {
  const log = openLogFile(logFile(options))
  const [file, args] = launcher.command('postgres', ['-D', options.dir, ...toArguments(options)])
  // Detached, so that the terminal's Ctrl-C is for the app, which stops its services last.
  const child = spawn(file, args, { ...launcher.ids, detached: true, stdio: ['ignore', log, log] })
  fs.closeSync(log)
  let ended = false
  child.once('exit', () => (ended = true)).once('error', () => (ended = true))
  child.unref()
  const settled = await waitUntil(async () => ended || (await isReady(options)), { timeoutMs: READY_WITHIN_MS })
  if (settled) return ended || child.pid === undefined ? undefined : { pid: child.pid, ended: untilExit(child) }
  if (child.pid !== undefined) await endProcess(child.pid, [{ signal: 'SIGKILL', timeoutMs: 5_000 }])
  return undefined
}

function toArguments({ port, settings = {} }: PostgresOptions): string[] {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200', ...settings }
  return ['-p', String(port), ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

const logFile = ({ dir }: PostgresOptions) => path.join(path.dirname(dir), 'postgres.log')

/** Ready means: it answers, with our password, and it is the server of our folder. */
async function isReady(options: PostgresOptions): Promise<boolean> {
  const client = new Client({ connectionString: postgresUrl(options, 'postgres'), connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return fs.realpathSync(rows[0]?.data_directory ?? '') === fs.realpathSync(options.dir)
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
