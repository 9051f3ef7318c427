import { setTimeout as sleep } from 'node:timers/promises'
import { activitiesOf } from '../../src/build/worker'
import type { Activities } from '../../src/contracts/activities'
import type { ScheduledMessage } from '../../src/reminders/contract'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { countByStatus, findContradictions, promiseMany, untilNonePending, WITHOUT_TEMPORAL } from './reminder-fixture'

/** One pair falls due after another, so that the races do not queue up behind each other. */
const GAP_MS = 25
const JITTER_MS = 50

let product: Product
afterEach(() => product.close())

const at = (time: number) => sleep(Math.max(0, time - Date.now()))

/** The person cancels within 50 ms of the due time, when the workers come for it too. Answers whether they were told yes. */
async function race(message: ScheduledMessage, workers: Activities[]): Promise<{ id: string; won: boolean }> {
  const dueMs = message.sendAt.getTime()
  const cancel = async () => {
    await at(dueMs + JITTER_MS * (2 * Math.random() - 1))
    const by = { id: message.id, reason: 'cancelled' as const }
    return product.parts.scheduledMessages.cancel(message.sessionId, by)
  }
  const deliveries = workers.map(async (worker) => {
    await at(dueMs)
    await worker.deliverDue(message.id)
  })
  const [cancelled] = await Promise.all([cancel(), ...deliveries])
  return { id: message.id, won: cancelled.length === 1 }
}

async function expectAgreement(outcomes: { id: string; won: boolean }[]): Promise<void> {
  const { pool } = product.parts.database
  const { rows } = await pool.query<{ id: string; status: string }>('SELECT id, status FROM scheduled_messages')
  const status = new Map(rows.map((row) => [row.id, row.status]))
  expect(outcomes.filter(({ id, won }) => status.get(id) !== (won ? 'cancelled' : 'sent'))).toEqual([])
  expect(await findContradictions(pool)).toEqual({})
}

test('of 300 messages cancelled at their due time each is sent or cancelled, never both, as the answer said', async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
  const workers = [activitiesOf(await product.another())]
  const base = Date.now() + 10_000
  const sendAt = (number: number) => new Date(base + number * GAP_MS)
  const messages = await promiseMany(product, { count: 300, sessions: 60, sendAt })
  await expectAgreement(await Promise.all(messages.map((message) => race(message, workers))))
  // Both ends were reached, else this was no race.
  const counts = await countByStatus(product.parts.database.pool)
  expect(counts.pending).toBeUndefined()
  expect(counts.sent).toBeGreaterThan(15)
  expect(counts.cancelled).toBeGreaterThan(15)
}, 120_000)

test('the answer to a cancel at the due time is true with workflows and a worker too', async () => {
  product = await buildProduct()
  await product.startWorker()
  const base = Date.now() + 5_000
  const sendAt = (number: number) => new Date(base + number * GAP_MS)
  const messages = await promiseMany(product, { count: 60, sessions: 20, sendAt })
  const outcomes = await Promise.all(messages.map((message) => race(message, [])))
  await untilNonePending(product.parts.database.pool)
  await expectAgreement(outcomes)
}, 120_000)
