import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { findContradictions } from './reminder-fixture'

let product: Product
beforeAll(async () => {
  product = await buildProduct()
}, 180_000)
afterAll(() => product.close(), 60_000)

/** Said again every three seconds, so that nobody waits ten minutes here. */
async function promiseUntilDone({ sessionKey, timezone }: Session): Promise<string> {
  const id = uuidv7()
  const row = { id, sessionKey, timezone, sendAt: new Date(Date.now() + 500), messageText: 'take pills' }
  await product.parts.stores.scheduledMessages.create({
    ...row,
    replaceExisting: false,
    toolCallId: null,
    repeatSeconds: 3,
  })
  product.parts.dispatcher.kick()
  return id
}

async function saidIn({ sessionKey }: Session): Promise<number> {
  const { rows } = await product.parts.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM message_history WHERE session_key = $1 AND source_kind = 'scheduled_send'`,
    [sessionKey],
  )
  return rows[0]!.count
}

const stateOf = (id: string) => product.parts.scheduler.stateOf(`scheduled-message/${id}`)

test('the same workflow says it again until it is done, over the end of its worker, and ends with that', async () => {
  const session = await product.session()
  const first = await product.startWorker()
  const id = await promiseUntilDone(session)
  await eventually(async () => (await saidIn(session)) >= 2, 120_000)
  expect(await stateOf(id)).toBe('open')
  await first.stop()
  await product.startWorker(await product.another())
  const before = await saidIn(session)
  await eventually(async () => (await saidIn(session)) > before, 120_000)
  const done = await product.parts.scheduledMessages.acknowledge(session, { id })
  expect(done.ok).toBe(true)
  const { repeats } = (await product.parts.scheduledMessages.find(id))!
  await eventually(async () => (await stateOf(id)) === 'completed', 60_000)
  expect(await saidIn(session)).toBe(1 + repeats)

  // What an operator ends is said no more either.
  const other = await product.session()
  const stopped = await promiseUntilDone(other)
  await eventually(async () => (await saidIn(other)) >= 1, 120_000)
  await product.parts.scheduler.cancelWorkflow(`scheduled-message/${stopped}`)
  const followUp = async () => (await product.parts.scheduledMessages.find(stopped))?.followUp
  await eventually(async () => (await followUp()) === 'stopped', 60_000)
  await eventually(async () => (await stateOf(stopped)) === 'cancelled', 60_000)
  expect(await findContradictions(product.parts.database.pool)).toEqual({})
}, 600_000)
