import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import type { Config } from '../config'
import { frontDoorUrl } from './front-door-port'
import { readMark } from './lock'
import { isListening, portFault } from './ports'
import { isSameProcess } from './process'
import { findExistingTemporal } from './temporal-binary'
import { TEMPORAL_CLI_VERSION } from './temporal-version'

export interface Finding {
  state: 'good' | 'warning' | 'fault'
  subject: string
  said: string
  toDo?: string
}

const ANSWER_WITHIN_MS = 5_000
const NEEDED_BYTES = 500e6
const COMFORTABLE_BYTES = 2e9
/** More than this, and "in five seconds" is visibly wrong. */
const CLOCK_OFF_MS = 2_000

const good = (subject: string, said: string): Finding => ({ state: 'good', subject, said })
const warning = (subject: string, said: string, toDo?: string): Finding => ({ state: 'warning', subject, said, toDo })
const fault = (subject: string, said: string, toDo: string): Finding => ({ state: 'fault', subject, said, toDo })

async function checkVersions(): Promise<Finding[]> {
  return [good('Node.js', `${process.versions.node} on ${process.platform}-${process.arch}`)]
}

/** A clock that is set wrong shows against whoever is asked; one that lost its date shows without anybody. */
async function checkClock({ databaseUrl, model }: Config): Promise<Finding[]> {
  const said = new Date().toISOString()
  if (Date.now() < fs.statSync(__filename).mtimeMs) {
    return [fault('clock', `it says ${said}, which is before this was built`, 'let NTP set the clock')]
  }
  const isAlone = databaseUrl === undefined && model.offline
  return isAlone ? [good('clock', `it says ${said}; nobody outside this machine is asked`)] : []
}

async function checkDisk({ dataDir }: Config): Promise<Finding[]> {
  let folder = dataDir
  while (!fs.existsSync(folder)) folder = path.dirname(folder)
  const { bavail, bsize } = fs.statfsSync(folder)
  const free = bavail * bsize
  const said = `${(free / 1e9).toFixed(1)} GB free for ${dataDir}`
  if (!isWritable(folder))
    return [fault('disk', `${folder} cannot be written`, 'set PUNCTUAL_DATA_DIR to a folder of yours')]
  if (free < NEEDED_BYTES) return [fault('disk', said, 'make room, or set PUNCTUAL_DATA_DIR to another disk')]
  return [free < COMFORTABLE_BYTES ? warning('disk', said) : good('disk', said)]
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Ports of services that run already are theirs; a free one is found for embedded services, not for the front door. */
async function checkPorts(config: Config): Promise<Finding[]> {
  const holder = readMark(path.join(config.dataDir, 'lock.json'))
  const { host, port, embedded } = config
  if (holder !== undefined && isSameProcess(holder)) {
    return [good('running', `Punctual runs on ${config.dataDir} (process ${holder.pid})`)]
  }
  const why = port === 0 ? undefined : await portFault(port, host)
  const door =
    why === undefined
      ? good('port', `${port} is free for the front door`)
      : fault('port', `${port} on ${host}: ${why}`, `set PORT, such as PORT=${port + 1} npm start`)
  const usual = [
    ...(config.databaseUrl === undefined ? [embedded.postgresPort] : []),
    ...(config.temporal.address === undefined ? [embedded.temporalPort, embedded.temporalUiPort] : []),
  ]
  const taken: number[] = []
  for (const each of usual) if (await isListening(each)) taken.push(each)
  if (taken.length === 0) return [door]
  return [door, warning('port', `${taken.join(', ')} in use; the embedded services take free ones and keep them`)]
}

async function checkDatabase({ databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl === undefined) return [good('PostgreSQL', 'the embedded one')]
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: ANSWER_WITHIN_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; now: Date; users: string | null }>(
      `SELECT current_setting('server_version') AS version, clock_timestamp() AS now, to_regclass('users') AS users`,
    )
    const { version, now, users } = rows[0] ?? { version: '?', now: new Date(), users: null }
    const made = users === null ? [warning('PostgreSQL', 'it has no tables yet', 'npm run migrate')] : []
    return [good('PostgreSQL', `${version} answers`), ...made, ...clockAgainst('the database', now)]
  } catch (error) {
    return [fault('PostgreSQL', `DATABASE_URL does not answer: ${reasonOf(error)}`, 'start it, or mend DATABASE_URL')]
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function checkTemporal({ temporal, embedded }: Config): Promise<Finding[]> {
  if (temporal.address === undefined) {
    const binary = findExistingTemporal({ cacheDir: embedded.cacheDir, env: process.env, say: () => undefined })
    if (binary !== undefined) return [good('Temporal', `embedded, by ${binary}`)]
    return [warning('Temporal', `version ${TEMPORAL_CLI_VERSION} will be fetched at the first start (45 MB)`)]
  }
  const [host, port] = splitAddress(temporal.address)
  if (await isListening(port, host)) return [good('Temporal', `something listens at ${temporal.address}`)]
  return [fault('Temporal', `nobody listens at ${temporal.address}`, 'start it, or mend TEMPORAL_ADDRESS')]
}

function splitAddress(address: string): [host: string, port: number] {
  const at = address.lastIndexOf(':')
  return at < 0 ? [address, 7233] : [address.slice(0, at), Number(address.slice(at + 1))]
}

/** Asks for the list of models, which costs nothing, and takes the server's clock from its answer. */
async function checkModel({ model }: Config): Promise<Finding[]> {
  if (model.offline) {
    return [
      warning(
        'model',
        'the built-in offline model: it follows rules and is for trying out',
        'set OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible server',
      ),
    ]
  }
  const baseUrl = model.baseUrl ?? 'https://api.openai.com/v1'
  const headers = { authorization: `Bearer ${model.apiKey ?? 'none'}` }
  try {
    const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
      headers,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const date = answer.headers.get('date')
    const clock = date === null ? [] : clockAgainst(new URL(baseUrl).host, new Date(date))
    if (answer.status === 401 || answer.status === 403) {
      return [fault('model', `${baseUrl} refuses the key (${answer.status})`, 'mend OPENAI_API_KEY'), ...clock]
    }
    return [good('model', `${baseUrl} answers (${answer.status})`), ...clock]
  } catch (error) {
    return [fault('model', `${baseUrl} does not answer: ${reasonOf(error)}`, 'start it, or mend OPENAI_BASE_URL')]
  }
}

function clockAgainst(whose: string, theirs: Date): Finding[] {
  const offMs = Date.now() - theirs.getTime()
  // A Date header has whole seconds.
  if (Math.abs(offMs) <= CLOCK_OFF_MS) return [good('clock', `agrees with ${whose}`)]
  const seconds = Math.round(offMs / 1_000)
  return [
    warning('clock', `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${whose}`, 'let NTP set the clock'),
  ]
}

/** What only a running front door knows. */
async function checkChannels({ host, port }: Config): Promise<Finding[]> {
  const url = `${frontDoorUrl(host, port)}/readyz`
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => undefined)
  if (answer === undefined) return [good('channels', 'seen while the front door runs, which it does not now')]
  const { status, channels = {} } = (await answer.json()) as {
    status: string
    channels?: Record<string, Record<string, number>>
  }
  const door =
    status === 'ready'
      ? good('front door', `${url} says ready`)
      : fault('front door', `${url} says ${status}`, 'see its log')
  const each = Object.entries(channels).map(([channel, counts]) => {
    const said = Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')
    const isBad = Object.keys(counts).some((state) => !['ok', 'healthy', 'idle', 'up'].includes(state))
    return isBad ? warning(channel, said, 'GET /api/v1/bots/{uuid}/channels says why') : good(channel, said)
  })
  return [door, ...each]
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

export const CHECKS: readonly ((config: Config) => Promise<Finding[]>)[] = [
  checkVersions,
  checkClock,
  checkDisk,
  checkPorts,
  checkDatabase,
  checkTemporal,
  checkModel,
  checkChannels,
]
