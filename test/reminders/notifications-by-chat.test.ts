import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product
beforeAll(async () => {
  product = await buildProduct()
}, 120_000)
afterAll(() => product.close())

test.each([
  ['停止推送', { pushes: false, quietHours: null }, '推送已关闭'],
  ['stop pushes please', { pushes: false, quietHours: null }, 'pushes are off'],
  ['晚上10点到早上7点免打扰', { pushes: true, quietHours: { start: '22:00', end: '07:00' } }, '22:00–07:00'],
  ['quiet hours from 10pm to 7am', { pushes: true, quietHours: { start: '22:00', end: '07:00' } }, '22:00–07:00'],
])('"%s" is done and said back', async (message, settings, words) => {
  const session = await product.session()
  const { content } = await product.parts.chat.send(session, { message, senderId: 'me' })
  expect(content).toContain(words)
  expect(await product.parts.stores.notifications.read(session.sessionKey)).toMatchObject(settings)
})

test('what was switched off is switched on again', async () => {
  const session = await product.session()
  const say = (message: string) => product.parts.chat.send(session, { message, senderId: 'me' })
  await say('不要再给我推送了')
  await say('恢复推送')
  expect(await product.parts.stores.notifications.read(session.sessionKey)).toMatchObject({ pushes: true })
})
