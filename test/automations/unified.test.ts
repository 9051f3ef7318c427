import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildWorld } from './support'
import type { World } from './support'

let world: World
beforeAll(async () => {
  world = await buildWorld(() => says('noted'), { UNIFIED_SESSION: 'true' })
}, 120_000)
afterAll(() => world.close())

test('web chats share one session; deleting a thread leaves it and its automations alone', async () => {
  const { sessions, chat, automations } = world.product.parts
  const { botUuid } = world.product
  const one = await sessions.resolve(ADMIN, { sessionKey: 'websocket:1', botUuid })
  const two = await sessions.resolve(ADMIN, { sessionKey: 'websocket:2', botUuid })
  expect([one.sessionKey, two.sessionKey]).toEqual(['unified:default', 'unified:default'])
  await chat.send(one, { message: 'My cat is called Mia.', senderId: 'me' })
  await chat.send(two, { message: 'What is my cat called?', senderId: 'me' })
  const shown = world.model.requests.at(-1)!.body.messages.map(({ content }) => content)
  expect(shown).toContain('My cat is called Mia.')

  const id = await world.add(one)
  const seen = await sessions.open(ADMIN, 'websocket:2')
  expect((await automations.list(seen.sessionKey)).map(({ automation }) => automation.id)).toEqual([id])
  expect(await sessions.delete(ADMIN, 'websocket:1', { deleteAutomations: true })).toEqual({ deleted: true })
  expect(await automations.find(id)).toMatchObject({ automation: { sessionKey: 'unified:default', state: 'active' } })
  expect((await world.history('unified:default')).length).toBe(4)
})

test('turning it on moves nothing: an automation keeps the session it was made in', async () => {
  const before = await world.product.another({ UNIFIED_SESSION: 'false' })
  const { botUuid } = world.product
  const own = await before.sessions.resolve(ADMIN, { sessionKey: 'websocket:3', botUuid })
  expect(own.sessionKey).toBe('websocket:3')
  const id = await world.add(own)
  expect((await world.product.parts.automations.find(id))?.automation.sessionKey).toBe('websocket:3')
  const blocked = await world.product.parts.sessions.delete(ADMIN, 'websocket:3', { deleteAutomations: false })
  expect(blocked).toMatchObject({ deleted: false, automations: [{ id }] })
})

test('another bot has a shared session of its own, and groups none', async () => {
  const { sessions, stores } = world.product.parts
  await stores.bots.create({ uuid: 'bot-2', name: 'Two' })
  const other = await sessions.resolve(ADMIN, { sessionKey: 'websocket:9', botUuid: 'bot-2' })
  expect(other.sessionKey).toBe('unified:bot-2')
  const group = await world.product.session('g', 'group')
  expect(group.sessionKey).not.toContain('unified')
})
