import pino from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { createActivities } from '../../activities'
import { readConfig } from '../../src/config'
import type { Caller } from '../../src/contracts/caller'
import type { Session } from '../../src/contracts/session'
import { createDependencies } from '../../src/dependencies'
import type { Dependencies } from '../../src/dependencies'
import { startWorker } from '../../src/scheduling/start-worker'
import { workflowBundle } from '../../src/workflow-bundle'
import type { Closings } from './run-bench'
import type { Services } from './services'

const CALLER: Caller = { kind: 'user', id: 'bench', name: 'bench', scopes: ['read', 'send', 'admin'], bots: 'all' }

/** The whole product in this process, on the benchmark's PostgreSQL and Temporal, with its default settings. */
export async function openProduct(services: Services, closings: Closings): Promise<Dependencies> {
  const { databaseUrl, temporalAddress } = services
  const config = readConfig({ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress })
  const product = await createDependencies(config, pino({ level: 'error' }, pino.destination(2)))
  closings.add(() => product.close())
  return product
}

export async function openWorker(product: Dependencies, closings: Closings): Promise<void> {
  const { config, stores, logger, scheduler, dispatcher } = product
  const worker = await startWorker({
    config: config.temporal,
    activities: createActivities({ ...product, messages: stores.scheduledMessages }),
    bundle: await workflowBundle(),
    logger,
    scheduler,
    messages: stores.scheduledMessages,
    outbox: stores.outbox,
    dispatcher,
  })
  closings.add(() => worker.stop())
}

/** Private chats of as many people, on one bot. */
export async function openSessions(product: Dependencies, count: number): Promise<Session[]> {
  const botUuid = uuidv7()
  await product.stores.bots.create({ uuid: botUuid, name: 'Bench' })
  const sessions: Session[] = []
  while (sessions.length < count) {
    const some = Array.from({ length: Math.min(10, count - sessions.length) }, () =>
      product.sessions.resolve(CALLER, { botUuid, launcherId: uuidv7(), launcherType: 'person' }),
    )
    sessions.push(...(await Promise.all(some)))
  }
  return sessions
}
