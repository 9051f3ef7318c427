import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { SEARCH_ATTRIBUTE_TYPES } from '../contracts/temporal'
import { readMark } from './lock'
import { openLogFile, tailLogFile } from './log-file'
import { isListening, requireFreePort } from './ports'
import { commandLine, endProcess, isSameProcess, markProcess, sendSignal, untilExit } from './process'
import type { Launched, RunningService } from './service'
import { adopted } from './service'
import { canReadItsFile, knowsNamespace } from './temporal-probe'
import { pause, waitUntil } from './wait'

const READY_WITHIN_MS = 60_000
const START_ATTEMPTS = 3
/** WAL halves the server's CPU; NORMAL loses nothing when the process is killed, only when the machine loses power. */
const DEFAULT_PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL']

export interface TemporalServerOptions {
  binary: string
  /** Its database, log and pid record live here. */
  dir: string
  port: number
  /** Without it there is no Web UI. */
  uiPort: number | undefined
  namespaces: string[]
  sqlitePragmas?: string[]
  say?(line: string): void
}

export interface EmbeddedTemporal extends RunningService {
  address: string
  uiUrl: string | undefined
}

/** Starts Temporal's dev server on its file, or adopts the one that still runs there. Loopback only. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<EmbeddedTemporal> {
  fs.mkdirSync(options.dir, { recursive: true, mode: 0o700 })
  const found = await adopt(options)
  const { pid, ended } = found === undefined ? await launchOnReadable(options) : adopted(found)
  return {
    pid,
    ended,
    adopted: found !== undefined,
    address: addressOf(options),
    uiUrl: options.uiPort === undefined ? undefined : `http://127.0.0.1:${options.uiPort}`,
    kill: () => sendSignal(pid, 'SIGKILL'),
    async stop() {
      await endProcess(pid, [
        { signal: 'SIGTERM', timeoutMs: 10_000 },
        { signal: 'SIGKILL', timeoutMs: 5_000 },
      ])
      fs.rmSync(recordFile(options), { force: true })
    },
  }
}

const addressOf = ({ port }: TemporalServerOptions) => `127.0.0.1:${port}`
const recordFile = ({ dir }: TemporalServerOptions) => path.join(dir, 'temporal.pid.json')
const databaseFile = ({ dir }: TemporalServerOptions) => path.join(dir, 'temporal.db')
const logFile = ({ dir }: TemporalServerOptions) => path.join(dir, 'temporal.log')

/** Ours is told by pid, start time and database file. One that does not answer on our ports is stopped. */
async function adopt(options: TemporalServerOptions): Promise<number | undefined> {
  const mark = readMark(recordFile(options))
  if (mark === undefined || !isSameProcess(mark)) return undefined
  const command = commandLine(mark.pid)
  if (!command.includes(options.dir)) return undefined
  const samePorts = toArguments(options).every((argument) => command.includes(argument))
  if (samePorts && (await waitUntil(() => isReady(options), { timeoutMs: 10_000, everyMs: 200 }))) return mark.pid
  await endProcess(mark.pid, [{ signal: 'SIGKILL', timeoutMs: 5_000 }])
  return undefined
}

/** A file that another version of the server wrote may lack what this one asks for; nothing brings it up to date. */
async function launchOnReadable(options: TemporalServerOptions): Promise<Launched> {
  const launched = await launch(options)
  const [namespace = 'default'] = options.namespaces
  if (await canReadItsFile(options.port, namespace)) return launched
  await endProcess(launched.pid, [
    { signal: 'SIGTERM', timeoutMs: 10_000 },
    { signal: 'SIGKILL', timeoutMs: 5_000 },
  ])
  const place = setAside(databaseFile(options))
  options.say?.(
    `Temporal's data was written by another version of its server, which this one cannot read. It is kept in ${place}; ` +
      'Temporal begins anew, and all pending promises are told again',
  )
  return launch(options)
}

/** Renames the database with what belongs to it; answers where it is now. */
function setAside(file: string): string {
  const place = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, place + suffix)
  }
  return place
}

async function launch(options: TemporalServerOptions): Promise<Launched> {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    for (const port of [options.port, options.uiPort]) {
      if (port !== undefined) await requireFreePort(port)
    }
    const launched = await launchOnce(options)
    if (launched !== undefined) return launched
    await pause(300 * attempt)
  }
  throw new Error(`the Temporal server did not start:\n${tailLogFile(logFile(options))}`)
}

/** Resolves once it answers, or to nothing when it ended before that. */
async function launchOnce(options: TemporalServerOptions): Promise<Launched | undefined> {
  const log = openLogFile(logFile(options))
  // Detached, so that the terminal's Ctrl-C is for the app, which stops its services last.
  const child = spawn(options.binary, toArguments(options), { detached: true, stdio: ['ignore', log, log] })
  fs.closeSync(log)
  let ended = false
  child.once('exit', () => (ended = true)).once('error', () => (ended = true))
  child.unref()
  const mark = child.pid === undefined ? undefined : markProcess(child.pid)
  if (mark !== undefined) fs.writeFileSync(recordFile(options), JSON.stringify(mark), { mode: 0o600 })
  const settled = await waitUntil(async () => ended || (await isReady(options)), { timeoutMs: READY_WITHIN_MS })
  if (settled) return ended || child.pid === undefined ? undefined : { pid: child.pid, ended: untilExit(child) }
  if (child.pid !== undefined) await endProcess(child.pid, [{ signal: 'SIGKILL', timeoutMs: 5_000 }])
  return undefined
}

function toArguments(options: TemporalServerOptions): string[] {
  const ui = options.uiPort === undefined ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', `${options.uiPort}`]
  const pragmas = options.sqlitePragmas ?? DEFAULT_PRAGMAS
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', `${options.port}`, ...ui],
    ...['--log-level', 'warn'],
    ...['--db-filename', databaseFile(options)],
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    // "default" always exists.
    ...options.namespaces.filter((name) => name !== 'default').flatMap((namespace) => ['--namespace', namespace]),
    ...Object.entries(SEARCH_ATTRIBUTE_TYPES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ]
}

/** Ready means: it answers, and knows every namespace it was asked for. */
async function isReady(options: TemporalServerOptions): Promise<boolean> {
  if (!(await isListening(options.port))) return false
  const known = await Promise.all(options.namespaces.map((namespace) => knowsNamespace(options.port, namespace)))
  return known.every(Boolean)
}
