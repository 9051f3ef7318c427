import { activitiesOf } from '../../src/build/worker'
import { startBurstWatch } from '../../src/reminders/due-burst'
import type { Loop } from '../../src/engine/waiting'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { findContradictions, promiseMany, WITHOUT_TEMPORAL } from './reminder-fixture'

let product: Product
let watch: Loop

beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
  const { stores, logger } = product.parts
  const messages = stores.scheduledMessages
  watch = startBurstWatch({ messages, activities: activitiesOf(product.parts), logger })
})
afterAll(async () => {
  await watch.stop()
  await product.close()
})

const states = async (messages: { id: string }[]) => {
  const rows = await Promise.all(messages.map(({ id }) => product.parts.stores.scheduledMessages.find(id)))
  return rows.map((row) => row?.status)
}

test('a herd is sent at its instant by whoever watches, in order, without waiting for its workflows', async () => {
  const dueAt = new Date(Date.now() + 4_000)
  const herd = await promiseMany(product, { count: 60, sessions: 7, sendAt: dueAt })
  await eventually(async () => (await states(herd)).every((state) => state === 'sent'), 30_000)
  const rows = await Promise.all(herd.map(({ id }) => product.parts.stores.scheduledMessages.find(id)))
  expect(rows.every((row) => row!.sentAt! >= dueAt && row!.attempts === 1)).toBe(true)
  expect(await findContradictions(product.parts.database.pool)).toEqual({})
  const events = await product.parts.stores.events.after(herd[0]!.sessionId, 0, 100)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
}, 60_000)

test('a few that are due together are left to their workflows', async () => {
  const few = await promiseMany(product, { count: 5, sessions: 5, sendAt: new Date(Date.now() + 1_500) })
  const later = await promiseMany(product, { count: 20, sessions: 5, sendAt: new Date(Date.now() + 60_000) })
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  expect(new Set(await states([...few, ...later]))).toEqual(new Set(['pending']))
}, 60_000)
