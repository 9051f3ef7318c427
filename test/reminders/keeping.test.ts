import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product

beforeAll(async () => {
  product = await buildProduct()
  await product.startWorker()
})
afterAll(() => product.close())

async function schedule(session: Session, sendAt: string, messageText: string, replaceExisting = false) {
  const request = { sendAt, messageText, replaceExisting, language: 'en' as const }
  const outcome = await product.parts.scheduledMessages.schedule(session, request)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome
}

const find = (id: string) => product.parts.stores.scheduledMessages.find(id)

describe('a scheduled private message', () => {
  it('arrives once, on time, in history, in the live stream and in the row', async () => {
    const session = await product.session()
    const { message } = await schedule(session, 'in 2 seconds', 'drink water')
    const row = await eventually(async () => {
      const now = await find(message.id)
      return now?.status === 'sent' ? now : undefined
    })
    expect(row.lateByMs).toBeGreaterThanOrEqual(0)
    expect(row.lateByMs).toBeLessThan(5_000)
    const history = await product.parts.stores.messages.latest(session.sessionKey, { limit: 10 })
    expect(history).toMatchObject([
      { id: row.sentMessageId, role: 'assistant', content: 'drink water', sourceKind: 'scheduled_send' },
    ])
    const events = await product.parts.stores.events.after(session.sessionKey, 0, 10)
    expect(events.map(({ seq, name, data }) => [seq, name, data['state'] ?? data['content']])).toEqual([
      [1, 'promise', 'pending'],
      [2, 'message', 'drink water'],
      [3, 'promise', 'sent'],
    ])
  })

  it('is not sent when it was cancelled in time', async () => {
    const session = await product.session()
    const { message } = await schedule(session, 'in 2 seconds', 'never')
    const cancelled = await product.parts.scheduledMessages.cancel(session.sessionKey, {
      id: message.id,
      reason: 'cancelled',
    })
    expect(cancelled.map(({ id }) => id)).toEqual([message.id])
    const workflowId = `scheduled-message/${message.id}`
    await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) !== 'open')
    expect(await product.parts.stores.messages.latest(session.sessionKey, { limit: 10 })).toEqual([])
  })
})
