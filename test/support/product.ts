import pino from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { createActivities } from '../../activities'
import { readConfig } from '../../src/config'
import type { Caller } from '../../src/contracts/caller'
import type { Session } from '../../src/contracts/session'
import type { LauncherType } from '../../src/contracts/words'
import { createDependencies } from '../../src/dependencies'
import type { Dependencies } from '../../src/dependencies'
import { startWorker } from '../../src/scheduling/start-worker'
import { createTestDatabase, takeNamespace, temporalAddress, workflowBundlePath } from './services'

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
  parts: Dependencies
  botUuid: string
  /** Another front door or worker's parts on the same database and Temporal. */
  another(env?: Record<string, string>): Promise<Dependencies>
  startWorker(parts?: Dependencies): Promise<{ stop(): Promise<void> }>
  session(launcherId?: string, launcherType?: LauncherType): Promise<Session>
  close(): Promise<void>
}

/** The whole product in this process, on a fresh database and a namespace of its own: nothing is doubled but the model. */
export async function buildProduct(env: Record<string, string> = {}): Promise<Product> {
  const { url, drop } = await createTestDatabase()
  const namespace = takeNamespace()
  const closings: (() => Promise<unknown>)[] = [drop]
  const settings = { DATABASE_URL: url, TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace, ...env }
  const another = async (more: Record<string, string> = {}) => {
    const made = await createDependencies(readConfig({ ...settings, ...more }), pino({ level: 'silent' }))
    closings.push(() => made.close())
    return made
  }
  const parts = await another()
  const botUuid = uuidv7()
  await parts.stores.bots.create({ uuid: botUuid, name: 'Test' })
  return {
    databaseUrl: url,
    namespace,
    parts,
    botUuid,
    another,
    async startWorker(of = parts) {
      const worker = await startTestWorker(of)
      const connections = of.keepConnections()
      const stop = async () => {
        await connections.stop()
        await worker.stop()
      }
      closings.push(stop)
      return { stop }
    },
    session: (launcherId = uuidv7(), launcherType = 'person') =>
      parts.sessions.resolve(ADMIN, { botUuid, launcherId, launcherType }),
    async close() {
      for (const close of closings.reverse()) await close()
    },
  }
}

function startTestWorker(parts: Dependencies) {
  const { stores, config, logger } = parts
  return startWorker({
    config: config.temporal,
    activities: createActivities({ ...parts, messages: stores.scheduledMessages }),
    bundle: { codePath: workflowBundlePath() },
    logger,
    scheduler: parts.scheduler,
    messages: stores.scheduledMessages,
    outbox: stores.outbox,
    dispatcher: parts.dispatcher,
  })
}
