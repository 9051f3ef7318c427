import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product
beforeAll(async () => {
  // What is promised and taken back is decided by the rows; nothing has to run for it.
  product = await buildProduct({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
}, 120_000)
afterAll(() => product.close())

test.each([
  ['画一只猫，1小时后告诉我', '正在进行的工作有哪些', '取消画图', '画图'],
  ['draw a cat and tell me in 1 hour', 'what is under way', 'stop the drawing', 'drawing'],
])('%s → %s → %s', async (asks, lists, stops, named) => {
  const session = await product.session()
  const say = (message: string) => product.parts.chat.send(session, { message, senderId: 'me' })
  const [created] = (await say(asks)).effects
  expect(created).toMatchObject({ did: 'created', kind: 'run' })
  const id = created!.id!
  expect((await say(lists)).content).toContain(named)
  const stopped = await say(stops)
  expect(stopped.effects).toMatchObject([{ did: 'cancelled', kind: 'run', id }])
  expect((await product.parts.runs.find(id))?.run.status).toBe('cancelled')
  expect((await say(stops)).effects).toMatchObject([{ did: 'refused', reason: 'nothing_running' }])
})

test('of several the person chooses, and nothing is stopped meanwhile', async () => {
  const session = await product.session()
  const say = (message: string) => product.parts.chat.send(session, { message, senderId: 'me' })
  await say('画一只猫，1小时后告诉我')
  await say('画一只狗，2小时后告诉我')
  const { content, effects } = await say('取消画图')
  expect(content).toMatch(/要停下哪一项？$/)
  expect(effects).toMatchObject([{ did: 'refused', reason: 'which_one' }])
  const running = { bots: 'all', sessionKey: session.sessionKey, status: 'running', limit: 10 } as const
  expect(await product.parts.runs.list(running)).toHaveLength(2)
})
