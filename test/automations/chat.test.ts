import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product
beforeAll(async () => {
  product = await buildProduct()
}, 120_000)
afterAll(() => product.close())

const say = async (session: Awaited<ReturnType<Product['session']>>, message: string) =>
  (await product.parts.chat.send(session, { message, senderId: 'me' })).content
const names = async (sessionKey: string) =>
  (await product.parts.automations.list(sessionKey)).map(({ automation }) => automation.message)

test('a person sets up, lists and deletes automations in Chinese', async () => {
  const session = await product.session()
  await say(session, '每天早上8点提醒我喝水')
  await say(session, '每周一9点检查仓库')
  const found = await product.parts.automations.list(session.sessionKey)
  expect(found.map(({ automation: { recurrence } }) => recurrence)).toMatchObject([
    { kind: 'cron', expressions: ['0 8 * * *'], timezone: 'Asia/Shanghai' },
    { kind: 'cron', expressions: ['0 9 * * 1'], timezone: 'Asia/Shanghai' },
  ])
  const listed = await say(session, '列出自动任务')
  expect(listed).toMatch(/喝水[\s\S]*仓库/)
  await say(session, '删除第2个')
  expect(await names(session.sessionKey)).toEqual([expect.stringContaining('喝水')])
})

test('a person sets up and deletes automations in English', async () => {
  const session = await product.session()
  await say(session, 'every weekday at 9am tell me the weather')
  await say(session, 'every 30 minutes remind me to stretch')
  const found = await product.parts.automations.list(session.sessionKey)
  expect(found.map(({ automation: { recurrence } }) => recurrence)).toMatchObject([
    { kind: 'cron', expressions: ['0 9 * * 1-5'] },
    { kind: 'every', seconds: 1_800 },
  ])
  await say(session, 'list automations')
  await say(session, 'delete the second one')
  expect(await names(session.sessionKey)).toEqual([expect.stringContaining('weather')])
})
