import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { Pool } from 'pg'
import { callApi } from './api'
import type { Answer, Call } from './api'
import { startFaultProxy } from './fault-proxy'
import type { FaultProxy } from './fault-proxy'
import { startProcess } from './processes'
import type { ProductProcess } from './processes'
import { startReceivers } from './receivers'
import type { Receivers } from './receivers'
import { startRigPostgres, startRigTemporal } from './services'
import { sleep } from './wait'

export interface RigBot {
  uuid: string
  /** Of the scope `send`, for this bot alone. */
  key: string
  telegramToken: string
  onebotToken: string
}

export interface RigOptions {
  doors?: number
  workers?: number
  env?: Record<string, string>
}

/** A whole installation of its own: real services behind fault proxies, processes to be killed, platforms that keep books. */
export interface Rig {
  dir: string
  /** Past every proxy: what the gate itself reads. */
  pool: Pool
  temporalClient(): Promise<Client>
  settings: Record<string, string>
  postgres: Awaited<ReturnType<typeof startRigPostgres>>
  temporal: Awaited<ReturnType<typeof startRigTemporal>>
  proxies: { postgres: FaultProxy; temporal: FaultProxy; webhook: FaultProxy; telegram: FaultProxy; onebot: FaultProxy }
  receivers: Receivers
  doors: ProductProcess[]
  workers: ProductProcess[]
  startDoor(env?: Record<string, string>): Promise<ProductProcess>
  /** `code`: another build of the product than the one that runs. */
  startWorker(env?: Record<string, string>, code?: string): Promise<ProductProcess>
  /** Asks one of the doors that run, each in its turn. */
  call<T = Record<string, unknown>>(method: string, path: string, call?: Call): Promise<Answer<T>>
  /** A bot with its key, on every platform. */
  addBot(): Promise<RigBot>
  admin(): Promise<string>
  bot: RigBot
  /** In every text that the gate writes: it must be nowhere but in PostgreSQL and on the platforms. */
  canary: string
  close(): Promise<void>
}

const PASSWORD = 'gate-password-0123456789'
const SECRET = 'gate-only-0123456789-0123456789-0123456789'

export async function openRig({ doors = 2, workers = 2, env = {} }: RigOptions = {}): Promise<Rig> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-gate-'))
  const closings: (() => unknown)[] = [() => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 })]
  const close = async () => {
    for (let undo = closings.pop(); undo; undo = closings.pop()) await Promise.resolve(undo()).catch(() => undefined)
  }
  try {
    return await build(dir, { doors, workers, env }, { closings, close })
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  dir: string,
  { doors, workers, env }: Required<RigOptions>,
  { closings, close }: { closings: (() => unknown)[]; close(): Promise<void> },
): Promise<Rig> {
  const keep = <T>(made: T, undo: (made: T) => unknown): T => {
    closings.push(() => undo(made))
    return made
  }
  const [postgres, temporal, receivers] = await Promise.all([
    startRigPostgres(dir).then((made) => keep(made, () => made.stop())),
    startRigTemporal(dir).then((made) => keep(made, () => made.stop())),
    startReceivers(dir).then((made) => keep(made, () => made.close())),
  ])
  const through = async (port: number) =>
    keep(await startFaultProxy({ host: '127.0.0.1', port }), (made) => made.close())
  const proxies = {
    postgres: await through(postgres.port),
    temporal: await through(temporal.port),
    webhook: await through(receivers.ports.webhook),
    telegram: await through(receivers.ports.telegram),
    onebot: await through(receivers.ports.onebot),
  }
  const pool = keep(new Pool({ connectionString: postgres.url, max: 4 }), (made) => made.end())
  // It is killed now and then; the next query gets a new connection.
  pool.on('error', () => undefined)
  const settings = {
    DATABASE_URL: proxies.postgres.through(postgres.url),
    TEMPORAL_ADDRESS: `127.0.0.1:${proxies.temporal.port}`,
    PUNCTUAL_DATA_DIR: path.join(dir, 'data'),
    PUNCTUAL_ADMIN_PASSWORD: PASSWORD,
    JWT_SECRET: SECRET,
    TRUSTED_EGRESS_HOSTS: '127.0.0.1',
    PUNCTUAL_TURNS_PER_PERSON: '1000000',
    PUNCTUAL_PUSHES_PER_KEY: '1000000',
    PUNCTUAL_PUSHES_PER_BOT: '1000000',
    PUNCTUAL_PUSHES_PER_TARGET: '1000000',
    ...env,
  }
  fs.mkdirSync(path.join(dir, 'logs'), { recursive: true })
  let made = 0
  const running: Record<'server' | 'worker', ProductProcess[]> = { server: [], worker: [] }
  const start = async (part: 'server' | 'worker', more: Record<string, string> = {}, code?: string) => {
    const log = path.join(dir, 'logs', `${part}-${(made += 1)}.log`)
    const wanted = { settings: { ...settings, ...more }, log, code }
    // As any supervisor does; one that is to die is started once.
    const begun =
      more['PUNCTUAL_TEST_CRASH_POINT'] === undefined
        ? await supervised(() => startProcess(part, wanted))
        : await startProcess(part, wanted)
    running[part] = [...running[part].filter((each) => each.isRunning()), begun]
    return keep(begun, () => begun.kill())
  }
  let turn = 0
  let token: string | undefined
  const rig: Rig = {
    dir,
    pool,
    async temporalClient() {
      const connection = await Connection.connect({ address: `127.0.0.1:${temporal.port}` })
      closings.push(() => connection.close())
      return new Client({ connection })
    },
    settings,
    postgres,
    temporal,
    proxies,
    receivers,
    get doors() {
      return running.server.filter((each) => each.isRunning())
    },
    get workers() {
      return running.worker.filter((each) => each.isRunning())
    },
    startDoor: (more) => start('server', more),
    startWorker: (more, code) => start('worker', more, code),
    call(method, where, call) {
      const open = running.server.filter((each) => each.isRunning())
      const door = open[(turn += 1) % Math.max(1, open.length)]
      return callApi(door?.url ?? 'http://127.0.0.1:1', method, where, call)
    },
    async admin() {
      token ??= (
        await rig.call<{ token: string }>('POST', '/api/v1/auth/login', {
          body: { username: 'admin', password: PASSWORD },
        })
      ).data?.token
      if (token === undefined) throw new Error('the administrator could not sign in')
      return token
    },
    addBot: () => addBot(rig),
    bot: { uuid: '', key: '', telegramToken: '', onebotToken: '' },
    canary: `canary-${randomBytes(6).toString('hex')}`,
    close,
  }
  // The first door makes the administrator; one at a time, so that they do not both want to.
  if (doors > 0) await start('server')
  await Promise.all([
    ...Array.from({ length: Math.max(0, doors - 1) }, () => start('server')),
    ...Array.from({ length: workers }, () => start('worker')),
  ])
  if (doors > 0) rig.bot = await rig.addBot()
  return rig
}

const STARTS = 20

async function supervised<T>(start: () => Promise<T>): Promise<T> {
  for (let left = STARTS - 1; ; left -= 1) {
    try {
      return await start()
    } catch (error) {
      if (left === 0) throw error
      await sleep(1_000)
    }
  }
}

let bots = 0

async function addBot(rig: Rig): Promise<RigBot> {
  const key = await rig.admin()
  const must = async <T>(method: string, where: string, body: unknown): Promise<T> => {
    const answer = await rig.call<T>(method, where, { key, body })
    if (answer.status >= 300 || answer.data === undefined) throw new Error(`${where}: ${answer.status} ${answer.error}`)
    return answer.data
  }
  bots += 1
  const { uuid } = await must<{ uuid: string }>('POST', '/api/v1/bots', { name: `Gate ${bots}` })
  const made = await must<{ key: string }>('POST', '/api/v1/api-keys', {
    name: 'gate',
    scopes: ['send'],
    bot_uuids: [uuid],
  })
  const telegramToken = `${7_000 + bots}:${'a'.repeat(35)}`
  const onebotToken = `onebot-token-of-the-gate-${bots}`
  const channels = `/api/v1/bots/${uuid}/channels`
  const at = (proxy: FaultProxy, protocol = 'http') => `${protocol}://127.0.0.1:${proxy.port}`
  const { proxies, receivers } = rig
  await must('PUT', `${channels}/webhook`, { url: at(proxies.webhook), secret: receivers.secret })
  await must('PUT', `${channels}/telegram`, { token: telegramToken, api_root: at(proxies.telegram) })
  await must('PUT', `${channels}/onebot`, { url: at(proxies.onebot, 'ws'), access_token: onebotToken })
  return { uuid, key: made.key, telegramToken, onebotToken }
}
