import { startRun } from '../runs/run-fixture'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

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

test('what an older thread has set up is run, answered and shown where its person reads now', async () => {
  const { sessions, automations, stores } = world.product.parts
  const { botUuid } = world.product
  const before = await world.product.another({ UNIFIED_SESSION: 'false' })
  const thread = await before.sessions.resolve(ADMIN, { sessionKey: 'websocket:4', botUuid })
  const id = await world.add(thread)
  const worker = await world.product.startWorker()
  const read = await sessions.resolve(ADMIN, { sessionKey: 'websocket:4', botUuid })
  const { last } = await stores.events.bounds(read.sessionKey)
  await world.fire(id)
  const [run] = await world.ended(id)
  expect(run).toMatchObject({ state: 'succeeded', sessionKey: read.sessionKey })

  const answers = (await world.history(read.sessionKey)).filter(({ metadata }) => metadata['automation_id'] === id)
  expect(answers.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(await world.history('websocket:4')).toEqual([])
  const told = await stores.events.after(read.sessionKey, last, 100)
  expect(told.filter(({ name }) => name === 'message').length).toBe(2)

  const listed = async () => (await automations.list(read.sessionKey)).map(({ automation }) => automation.id)
  expect(await listed()).toContain(id)
  const { last: ran } = await stores.events.bounds(read.sessionKey)
  await automations.setEnabled(id, false)
  expect((await stores.events.after(read.sessionKey, ran, 100)).map(({ name }) => name)).toEqual(['promise'])
  await automations.remove(id, { reason: 'removed' })
  expect(await listed()).not.toContain(id)
  await worker.stop()
})

test('what an older thread still promises is listed, cancelled and kept where its person reads now', async () => {
  const { sessions, scheduledMessages, reconcile, stores } = world.product.parts
  const { botUuid } = world.product
  const before = await world.product.another({ UNIFIED_SESSION: 'false' })
  const thread = await before.sessions.resolve(ADMIN, { sessionKey: 'websocket:5', botUuid })
  const wish = { replaceExisting: false, language: 'en' as const }
  await before.scheduledMessages.schedule(thread, { ...wish, sendAt: 'in 30 seconds', messageText: 'the oven' })
  const set = await before.scheduledMessages.schedule(thread, { ...wish, sendAt: 'in 2 hours', messageText: 'the cat' })
  const later = set.ok ? set.message.id : ''
  const step = { aiName: 'local__image_draw', draftArgs: { prompt: 'a cat', schedule: 'in 30 seconds' } }
  await startRun({ parts: before }, thread, [step])
  const read = await sessions.resolve(ADMIN, { sessionKey: 'websocket:5', botUuid })
  const { last } = await stores.events.bounds(read.sessionKey)
  await reconcile()
  const told = await stores.events.after(read.sessionKey, last, 100)
  expect(told.filter(({ name }) => name === 'promise').map(({ data }) => data['summary'])).toEqual(
    expect.arrayContaining(['the oven', 'the cat', 'local__image_draw']),
  )
  const [cancelled] = await scheduledMessages.cancel(read.sessionKey, { id: later, reason: 'cancelled' })
  expect(cancelled).toMatchObject({ messageText: 'the cat' })

  const worker = await world.product.startWorker()
  const arrived = async () => (await world.history(read.sessionKey)).map(({ sourceKind }) => sourceKind)
  await eventually(async () => {
    const kinds = await arrived()
    return kinds.includes('scheduled_send') && kinds.includes('plugin_feedback')
  }, 90_000)
  expect(await world.history('websocket:5')).toEqual([])
  await worker.stop()
}, 180_000)

test('another bot has a shared session of its own, and groups none', async () => {
  const { sessions, stores } = world.product.parts
  await stores.bots.create({ uuid: 'bot-2', name: 'Two' })
  const other = await sessions.resolve(ADMIN, { sessionKey: 'websocket:9', botUuid: 'bot-2' })
  expect(other.sessionKey).toBe('unified:bot-2')
  const group = await world.product.session('g', 'group')
  expect(group.sessionKey).not.toContain('unified')
})
