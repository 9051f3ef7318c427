import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { activitiesOf, startProductWorker } from '../../src/build/worker'
import { readConfig } from '../../src/config'
import { createHttp, httpPartsOf } from '../../src/build/http'
import type { Caller, Scope } from '../../src/contracts/caller'
import type { Session } from '../../src/conversation/session'
import type { LauncherType } from '../../src/contracts/words'
import { createProduct } from '../../src/build/product'
import type { Product as Parts } from '../../src/build/product'
import { HTTP_CONFIG } from './app'
import { createGuard } from './guard'
import type { Guard } from './guard'
import { createTestDatabase, takeNamespace, temporalAddress, workflowBundlePath } from './services'
import { hadWorkerProcess } from './worker-processes'

export const ADMIN: Caller = {
  kind: 'user',
  id: 'admin',
  name: 'admin',
  scopes: ['read', 'send', 'admin'],
  bots: 'all',
}

export interface Product {
  databaseUrl: string
  namespace: string
  parts: Parts
  botUuid: string
  /** Another front door or worker's parts on the same database and Temporal. */
  another(env?: Record<string, string>, logger?: Logger): Promise<Parts>
  startWorker(parts?: Parts): Promise<{ stop(): Promise<void> }>
  /** The HTTP side of the product, or of another front door's parts; closed with the product. */
  serve(parts?: Parts): Promise<FastifyInstance>
  /** A key for the product's bot. */
  addKey(scope?: Scope): Promise<string>
  /** What a test provokes on purpose is said here; everything else that is left behind fails it. */
  guard: Pick<Guard, 'expectActivityFailures' | 'expectLooseRows'>
  session(launcherId?: string, launcherType?: LauncherType): Promise<Session>
  close(): Promise<void>
}

/** The whole product in this process, on a fresh database and a namespace of its own: nothing is doubled but the model. */
export async function buildProduct(env: Record<string, string> = {}): Promise<Product> {
  const { url, drop } = await createTestDatabase()
  const namespace = takeNamespace()
  const closings: (() => Promise<unknown>)[] = [drop]
  const services = { DATABASE_URL: url, TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace }
  // Tests talk faster than people.
  const settings = { ...services, PUNCTUAL_TURNS_PER_PERSON: '1000000', ...env }
  const another = async (more: Record<string, string> = {}, logger = pino({ level: 'silent' })) => {
    const made = await createProduct(readConfig({ ...settings, ...more }), logger)
    closings.push(() => made.close())
    return made
  }
  const parts = await another()
  const guard = createGuard()
  let workers = 0
  let hadWorker = false
  const botUuid = uuidv7()
  await parts.stores.bots.create({ uuid: botUuid, name: 'Test' })
  return {
    databaseUrl: url,
    namespace,
    parts,
    botUuid,
    another,
    async startWorker(of = parts) {
      let stopped = false
      const worker = await startTestWorker(of, guard, () => stopped)
      hadWorker = true
      const connections = of.startConnections()
      workers += 1
      const stop = async () => {
        if (stopped) return
        stopped = true
        workers -= 1
        await connections.stop()
        await worker.stop()
      }
      closings.push(stop)
      return { stop }
    },
    async serve(of = parts) {
      const app = await createHttp(httpPartsOf(of), HTTP_CONFIG)
      closings.push(() => app.close())
      return app
    },
    async addKey(scope = 'send') {
      const wanted = { name: 'test', scopes: [scope], botUuids: [botUuid] }
      return (await parts.access.createApiKey(ADMIN, wanted)).key
    },
    session: (launcherId = uuidv7(), launcherType = 'person') =>
      parts.sessions.resolve(ADMIN, { botUuid, launcherId, launcherType }),
    guard,
    async close() {
      const wrong = await look().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      )
      for (const close of closings.reverse()) await close()
      if (wrong) throw wrong
    },
  }

  /** Throws what the guard finds, if there was a worker, in this process or in another. */
  async function look(): Promise<void> {
    if (hadWorker) guard.checkActivities()
    const isLeftByProcesses = workers === 0 && hadWorkerProcess(parts.config.databaseUrl ?? '')
    if (isLeftByProcesses && (await isTemporalThere())) {
      // They are gone or paused: the next worker must find everything in order.
      const worker = await startTestWorker(parts, guard)
      closings.push(() => worker.stop())
      workers += 1
    }
    if (workers > 0) await guard.check(parts, isLeftByProcesses ? AFTER_A_KILL_MS : undefined)
  }

  async function isTemporalThere(): Promise<boolean> {
    try {
      await parts.scheduler.check()
      return true
    } catch {
      return false
    }
  }
}

/** Temporal hears of a worker that was killed when its heartbeats and the queue of its cached workflows run out. */
const AFTER_A_KILL_MS = 40_000

const startTestWorker = (parts: Parts, guard: Guard, isStopping?: () => boolean) =>
  startProductWorker(parts, {
    bundle: { codePath: workflowBundlePath() },
    activities: guard.watch(activitiesOf(parts), isStopping),
  })
