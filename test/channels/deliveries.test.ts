import type { Delivery } from '../../src/contracts/delivery'
import type { Session } from '../../src/conversation/session'
import { CLOSING_TEXTS } from '../../src/conversation/turn'
import { PLUGINS, startRun } from '../runs/run-fixture'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

let world: ChannelFixture
beforeAll(async () => {
  world = await buildChannelFixture(PLUGINS)
}, 60_000)
afterAll(() => world.close())
beforeEach(() => world.ledger.behave())

const deliveriesOf = ({ sessionKey }: Session): Promise<Delivery[]> =>
  world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey, limit: 50 })
const decided = (session: Session, count: number, limitMs?: number) =>
  eventually(async () => {
    const found = await deliveriesOf(session)
    return found.length === count && found.every(({ state }) => state !== 'pending') ? found : undefined
  }, limitMs)

test('what the bot says on its own reaches the platform once, and the receipt is kept', async () => {
  const session = await world.open('receipt')
  await world.say(session, 'by itself')
  const [delivery] = await decided(session, 1)
  expect(delivery).toMatchObject({ state: 'sent', attempts: 1, lastError: null, possibleDuplicate: false })
  expect(delivery?.platformMessageIds).toEqual([expect.stringMatching(/^ledger-\d+$/)])
  const entries = (await world.ledger.entries()).filter(({ sessionKey }) => sessionKey === session.sessionKey)
  expect(entries).toMatchObject([{ text: 'by itself', verified: true, webhookId: `delivery:${delivery?.id}` }])
}, 60_000)

test('delayed feedback of a plugin reaches the platform', async () => {
  const session = await world.open('feedback')
  world.model.setScript([says('Hello Mia, it is done.')])
  const steps = [{ aiName: 'local__greet', draftArgs: { name: 'Mia', schedule: 'in 4 seconds' } }]
  await startRun(world.product, session, steps)
  await world.delivered(session, 1, 30_000)
  expect(await decided(session, 1)).toMatchObject([{ state: 'sent' }])
  const [said] = await world.product.parts.stores.messages.latest(session.sessionKey, { limit: 1 })
  expect(said?.sourceKind).toBe('plugin_feedback')
  expect(await world.arrived(session)).toEqual([said?.content])
}, 60_000)

test('the answer to a request over HTTP is in its answer and is not sent a second time', async () => {
  const session = await world.open('api')
  world.model.setScript([says('here you read it')])
  await world.product.parts.chat.send(session, { message: 'hello', senderId: 'mia' })
  await world.say(session, 'after it')
  await decided(session, 1)
  expect(await world.arrived(session)).toEqual(['after it'])
}, 60_000)

test('the closing of a turn whose holder died is sent to the person', async () => {
  const session = await world.open('closing')
  const input = { message: 'hello?', senderId: 'mia', metadata: {} }
  const turn = { id: '01900000-0000-7000-8000-00000000c105', sessionKey: session.sessionKey, holder: 'dead', input }
  await world.product.parts.stores.turns.enqueue({ ...turn, origin: 'user' })
  await world.product.parts.database.pool.query(`UPDATE turns SET lease_until = now() - interval '1 s' WHERE id = $1`, [
    turn.id,
  ])
  await world.product.parts.reconcile()
  await world.delivered(session, 1)
  expect(await world.arrived(session)).toEqual([CLOSING_TEXTS.interrupted.en])
}, 60_000)

test('messages of a session arrive in their order although the first is refused at first', async () => {
  const session = await world.open('order')
  await world.ledger.behave({ kind: 'status', status: 503, times: 2 })
  for (const text of ['one', 'two', 'three']) await world.say(session, text)
  const found = await decided(session, 3, 40_000)
  expect(await world.arrived(session)).toEqual(['one', 'two', 'three'])
  expect(found.map(({ attempts }) => attempts)).toEqual([1, 1, 3])
  expect(found[2]?.lastError).toMatch(/^webhook_unavailable/)
}, 60_000)

test('a final refusal is a visible failure, and the next message is sent', async () => {
  const session = await world.open('refused')
  await world.ledger.behave({ kind: 'status', status: 403, times: 1 })
  await world.say(session, 'lost')
  await world.say(session, 'kept')
  const [second, first] = await decided(session, 2)
  expect(first).toMatchObject({ state: 'failed', attempts: 1 })
  expect(first?.lastError).toContain('webhook_rejected')
  expect(second).toMatchObject({ state: 'sent' })
  expect(await world.arrived(session)).toEqual(['kept'])
}, 60_000)

test('a message whose workflow an operator cancels is given up, and the next is sent', async () => {
  const session = await world.open('operator')
  const { scheduler, stores, reconcile } = world.product.parts
  await world.ledger.behave({ kind: 'status', status: 500 })
  await world.say(session, 'cancelled in Temporal')
  await world.say(session, 'goes on')
  const [, first] = await deliveriesOf(session)
  const trying = () => stores.deliveries.find(first!.id)
  await eventually(async () => (await trying())?.lastError)
  await scheduler.cancelWorkflow(`delivery/${first!.id}`)
  await eventually(async () => (await trying())?.state === 'failed')
  expect(await trying()).toMatchObject({ lastError: 'cancelled by operator' })
  await world.ledger.behave()
  await decided(session, 2, 40_000)
  expect(await world.arrived(session)).toEqual(['goes on'])
  expect(await reconcile()).toMatchObject({ failed: 0 })
}, 90_000)

test('a delivery that Temporal has lost is started again by the reconciler', async () => {
  const session = await world.open('lost')
  const { database, reconcile } = world.product.parts
  const message = await world.say(session, 'once more')
  await decided(session, 1)
  // The same row as it stands when it was never told to Temporal, two minutes ago.
  await database.pool.query(
    `UPDATE deliveries SET id = gen_random_uuid(), state = 'pending', ended_at = NULL,
       created_at = now() - interval '2 minutes' WHERE message_id = $1`,
    [message],
  )
  // By this pass, or by the heartbeat of the worker that happens to pass at the same moment.
  await reconcile()
  await decided(session, 1)
  expect(await world.arrived(session)).toEqual(['once more', 'once more'])
}, 60_000)

test('the answer of an automation and a push of a program arrive on the channel of the session, once each', async () => {
  const session = await world.open('automated')
  const { automations, push, stores } = world.product.parts
  world.model.setScript([says('The oven is off.')])
  const wish = { message: 'check the oven', name: 'oven', at: 'in 2 seconds', language: 'en' as const }
  expect(await automations.add(session, wish)).toMatchObject({ ok: true })
  await world.delivered(session, 1, 40_000)
  const { botUuid, launcherType, launcherId } = session
  const target = { botUuid, launcherType, launcherId }
  await push.send(ADMIN, { target, chain: [{ type: 'Plain', text: 'Your parcel is here.' }], urgent: true })
  await world.delivered(session, 2, 40_000)
  expect(await world.arrived(session)).toEqual(['The oven is off.', 'Your parcel is here.'])
  const said = await stores.messages.latest(session.sessionKey, { limit: 5 })
  expect(said.filter(({ role }) => role === 'assistant').map(({ sourceKind }) => sourceKind)).toEqual([
    expect.stringMatching(/^(automation|chat)$/),
    'push',
  ])
}, 90_000)
