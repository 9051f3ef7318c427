import pino from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { startProductWorker } from '../../src/build/worker'
import { readConfig } from '../../src/config'
import type { Caller } from '../../src/contracts/caller'
import type { Session } from '../../src/conversation/session'
import { createProduct } from '../../src/build/product'
import type { Product as Parts } from '../../src/build/product'
import { workflowBundle } from '../../src/engine/temporal/workflow-bundle'
import type { Closings } from './run-bench'
import type { Services } from './services'

const CALLER: Caller = { kind: 'user', id: 'bench', name: 'bench', scopes: ['read', 'send', 'admin'], bots: 'all' }

/** The whole product in this process, on the benchmark's PostgreSQL and Temporal, with its default settings. */
export async function openProduct(services: Services, closings: Closings): Promise<Parts> {
  const { databaseUrl, temporalAddress } = services
  const config = readConfig({ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress })
  const product = await createProduct(config, pino({ level: 'error' }, pino.destination(2)))
  closings.add(() => product.close())
  return product
}

export async function openWorker(product: Parts, closings: Closings): Promise<void> {
  const worker = await startProductWorker(product, { bundle: await workflowBundle() })
  closings.add(() => worker.stop())
}

/** Private chats of as many people, on one bot. */
export async function openSessions(product: Parts, count: number): Promise<Session[]> {
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
