import pino from 'pino'
import { createScheduledMessages } from '../../src/reminders/scheduled-messages'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { schedule, WITHOUT_TEMPORAL } from './reminder-fixture'

let product: Product
beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
})
afterAll(() => product.close())

/** The product's own service over its own store, whose answer to a create is lost on the way back. */
function serviceLosing(answerOf: 'a stored create' | 'a create that stored nothing') {
  const { stores, dispatcher } = product.parts
  const lost = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  const store = {
    ...stores.scheduledMessages,
    create: async (input: Parameters<typeof stores.scheduledMessages.create>[0]) =>
      answerOf === 'a stored create' ? stores.scheduledMessages.create(input).then(lost) : lost(),
  }
  const clock = { now: async () => new Date() }
  return createScheduledMessages({
    store,
    dispatcher,
    clock,
    crashPoint: () => undefined,
    logger: pino({ level: 'silent' }),
    askZone: stores.zones.askOnce,
  })
}

const wish = { sendAt: 'in 1 hour', messageText: 'tea', replaceExisting: true, language: 'en' as const }

test('a promise whose commit was heard of by nobody is found and told as made, with what it replaced', async () => {
  const session = await product.session()
  const first = await schedule(product, session, { sendAt: 'in 2 hours' })
  const outcome = await serviceLosing('a stored create').schedule(session, wish)
  expect(outcome).toMatchObject({ ok: true, cancelledIds: [first.ok && first.message.id] })
  const { sessionKey } = session
  const pending = await product.parts.scheduledMessages.list({ bots: 'all', sessionKey, status: 'pending', limit: 9 })
  expect(pending.map(({ id }) => id)).toEqual([outcome.ok && outcome.message.id])
})

test('a promise that was not stored is told as not made', async () => {
  const outcome = await serviceLosing('a create that stored nothing').schedule(await product.session(), wish)
  expect(outcome).toMatchObject({
    ok: false,
    code: 'storage_failed',
    hint: expect.stringContaining('Nothing') as string,
  })
})
