import { v7 as uuidv7 } from 'uuid'
import { inTransaction } from '../../src/engine/database'
import { lockSession } from '../../src/engine/session-writes'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { promise, WITHOUT_TEMPORAL } from './reminder-fixture'

let product: Product
beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
})
afterAll(() => product.close())

const TEXT = `${'水💧'.repeat(80)} "quoted"\n{{x}} \\ end`

/** What the stream shows, without what differs from one message to the next. */
async function shownOf(sessionKey: string) {
  const events = await product.parts.stores.events.after(sessionKey, 0, 20)
  return events.map(({ name, data }) => ({
    name,
    data: {
      ...data,
      id: typeof data['id'],
      due_at: 'some time',
      created_at: /^[\d-]{10}T[\d:]{8}\.\d{3}Z$/.test((data['created_at'] ?? '') as string),
      late_by_ms: typeof data['late_by_ms'],
      metadata: Object.keys((data['metadata'] ?? {}) as object).sort(),
    },
  }))
}

test('the stream shows the same, whether a message is swept with others or sent by itself', async () => {
  const { parts } = product
  const messages = parts.stores.scheduledMessages
  const [swept, single] = [await product.session(uuidv7()), await product.session(uuidv7())]
  await promise(product, swept, new Date(), TEXT)
  const { id } = await promise(product, single, new Date(), TEXT)
  // The sweep passes over a session that somebody has locked.
  await inTransaction(parts.database.pool, async (db) => {
    await lockSession(db, single.sessionKey)
    expect(await messages.sweepDue(10)).toHaveLength(1)
  })
  expect(await messages.deliverOnWeb(id)).toMatchObject({ state: 'sent' })
  const shown = await shownOf(swept.sessionKey)
  expect(shown.map(({ name }) => name)).toEqual(['promise', 'message', 'promise'])
  expect(shown).toEqual(await shownOf(single.sessionKey))
  expect(shown[1]?.data).toMatchObject({
    message_chain: null,
    content: TEXT,
    metadata: ['late_by_ms', 'scheduled_message_id'],
  })
})

test('nothing is early by its lateness, and a lateness of a hundred years still has a number', async () => {
  const { rows } = await product.parts.database.pool.query<{ early: number; late: number }>(
    `SELECT late_ms(now() + interval '1 hour') AS early, late_ms(now() - interval '100 years') AS late`,
  )
  expect(rows).toEqual([{ early: 0, late: 2_147_483_647 }])
})
