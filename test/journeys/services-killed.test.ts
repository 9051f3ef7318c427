import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses } from '../support/processes'
import { untilNonePending } from '../reminders/reminder-fixture'
import { openPostgres, placeTemporal } from './private-services'
import type { PrivateService } from './private-services'
import { buildWorld, promiseBoth, settle } from './journey-fixture'
import type { World } from './journey-fixture'

const COUNT = 200

let world: World | undefined
let service: PrivateService | undefined
afterEach(async () => {
  await endProcesses()
  await world?.close()
  await service?.stop()
}, 90_000)

/** Dies a second before the messages are due and is back three seconds after. */
async function dieAcrossDue(): Promise<void> {
  const { product, startWorker } = world!
  await startWorker()
  const sendAt = new Date(Date.now() + 15_000)
  await promiseBoth(world!, COUNT, sendAt)
  await sleep(Math.max(0, sendAt.getTime() - 1_000 - Date.now()))
  service!.kill()
  await sleep(Math.max(0, sendAt.getTime() + 3_000 - Date.now()))
  await service!.start()
  const back = Date.now()
  await untilNonePending(product.parts.database.pool, 90_000)
  const { rows } = await product.parts.database.pool.query<{ last: Date }>(
    'SELECT max(sent_at_ts) AS last FROM scheduled_messages',
  )
  expect(rows[0]!.last.getTime()).toBeLessThan(back + 60_000)
  expect(await settle(world!)).toMatchObject({ statuses: { sent: COUNT }, repeated: {} })
}

test(`${COUNT} messages are kept, each once, although Temporal was killed across their due time`, async () => {
  const temporal = await placeTemporal()
  service = temporal
  await temporal.start()
  world = await buildWorld({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' })
  await dieAcrossDue()
}, 240_000)

test(`${COUNT} messages are kept, each once, although PostgreSQL was killed across their due time`, async () => {
  service = await openPostgres()
  world = await buildWorld({ DATABASE_URL: service.address })
  await dieAcrossDue()
}, 240_000)
