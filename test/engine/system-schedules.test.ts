import pino from 'pino'
import { keepSystemSchedules } from '../../src/engine/temporal/system-schedules'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { promise, WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'

let product: Product

beforeAll(async () => {
  product = await buildProduct()
}, 60_000)
afterAll(() => product.close())

const logger = pino({ level: 'silent' })

test('what a killed front door left in the outbox is told although Temporal knows us and nobody else asks', async () => {
  const { scheduler, dispatcher, stores } = product.parts
  await scheduler.ensureReady(async () => undefined)
  const cutOff = { ...product, parts: await product.another(WITHOUT_TEMPORAL) }
  const { id } = await promise(cutOff, await product.session(), new Date(Date.now() + 3_600_000))
  await cutOff.parts.dispatcher.close()
  // As if the time of the one who had taken it were over.
  await product.parts.database.pool.query('UPDATE outbox SET next_attempt_at = now()')
  const caretaker = keepSystemSchedules({ scheduler, dispatcher, outbox: stores.outbox, logger })
  await eventually(async () => (await scheduler.stateOf(`scheduled-message/${id}`)) === 'open', 30_000)
  await caretaker.stop()
}, 60_000)

test('it stops only after its look has ended, so that no connection is closed under it', async () => {
  const { scheduler, dispatcher, stores } = product.parts
  let looking = 0
  const watched = {
    ...scheduler,
    async ensureReady(beforeFirst: () => Promise<void>) {
      looking += 1
      await scheduler.ensureReady(beforeFirst)
      looking -= 1
    },
  }
  const caretaker = keepSystemSchedules({ scheduler: watched, dispatcher, outbox: stores.outbox, logger })
  expect(looking).toBe(1)
  await caretaker.stop()
  expect(looking).toBe(0)
})
