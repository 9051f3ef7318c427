import type { Channel, OutgoingMessage } from '../../src/channels/channel'
import { ChannelFailure } from '../../src/channels/channel'
import type { Delivery } from '../../src/contracts/delivery'
import type { Session } from '../../src/conversation/session'
import { findContradictions, promise } from '../reminders/reminder-fixture'
import { eventually } from '../support/eventually'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

let world: ChannelFixture
/** What the next calls on OneBot do, one after the other; when they have ended, all is well. */
const scripted: (() => Promise<void> | void)[] = []
const received: OutgoingMessage[] = []
let waits = 0
/** What the platform's adapter cannot send, by a mistake of its own. */
const UNLUCKY = 'unlucky'

/** A platform that drops no repeats. */
const platform: Channel = {
  name: 'onebot',
  idempotent: false,
  enter: () => (waits-- > 0 ? { waitMs: 200 } : { release: () => undefined }),
  async send(message) {
    received.push(message)
    if (message.text.startsWith(UNLUCKY)) throw new TypeError('a bug of the channel')
    await scripted.shift()?.()
    return { platformMessageId: `platform-${received.length}` }
  },
}

beforeAll(async () => {
  world = await buildChannelFixture()
  // A due time is moved by hand here: its workflow may still sleep for a message that was sent.
  world.product.guard.expectLooseRows('scheduled_message')
  world.product.parts.channels.set('onebot', platform)
}, 60_000)
afterAll(() => world.close())
beforeEach(async () => {
  await world.ledger.behave()
  scripted.length = 0
  received.length = 0
  waits = 0
})

const soon = (ms = 300) => new Date(Date.now() + ms)
const find = async (id: string) => (await world.product.parts.stores.scheduledMessages.find(id))!
const deliveriesOf = ({ sessionKey }: Session): Promise<Delivery[]> =>
  world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey, limit: 50 })
const handedOver = (session: Session, id: string) =>
  eventually(async () => (await deliveriesOf(session)).find((each) => each.scheduledMessageId === id))
const ended = (id: string, limitMs?: number) =>
  eventually(async () => {
    const row = await find(id)
    return row.status === 'pending' ? undefined : row
  }, limitMs)
const attemptsOf = async (sourceRef: string) => {
  const { rows } = await world.product.parts.database.pool.query<{ outcome: string }>(
    'SELECT outcome FROM delivery_attempts WHERE source_ref = $1 ORDER BY number',
    [sourceRef],
  )
  return rows.map(({ outcome }) => outcome)
}

test('a reminder goes in its place between what was said before and after it, and its receipt is kept', async () => {
  const session = await world.open('in-order')
  await world.ledger.behave({ kind: 'status', status: 503, times: 2 })
  await world.say(session, 'before')
  const { id } = await promise(world.product, session, soon(), 'the reminder')
  await handedOver(session, id)
  await world.say(session, 'after')
  await world.delivered(session, 3, 40_000)
  expect(await world.arrived(session)).toEqual(['before', 'the reminder', 'after'])
  const row = await ended(id)
  expect(row).toMatchObject({ status: 'sent', attempts: 1, possibleDuplicate: false })
  const [, reminder] = await deliveriesOf(session)
  expect(reminder).toMatchObject({ state: 'sent', messageId: row.sentMessageId, scheduledMessageId: id })
  expect(reminder?.platformMessageIds).toEqual([expect.stringMatching(/^ledger-/)])
}, 60_000)

test('a cancel that comes before the call wins, and what stands behind it goes on', async () => {
  const session = await world.open('cancel-first')
  await world.ledger.behave({ kind: 'status', status: 503, times: 1 })
  await world.say(session, 'before')
  const { id } = await promise(world.product, session, soon(), 'never')
  await handedOver(session, id)
  await world.say(session, 'after')
  const { scheduledMessages } = world.product.parts
  expect(await scheduledMessages.cancel(session.sessionKey, { id, reason: 'cancelled' })).toHaveLength(1)
  await world.delivered(session, 2, 40_000)
  expect(await world.arrived(session)).toEqual(['before', 'after'])
  expect((await deliveriesOf(session)).map(({ scheduledMessageId }) => scheduledMessageId)).toEqual([null, null])
}, 60_000)

test('a cancel between two tries wins; one that comes during a call has lost', async () => {
  const session = await world.open('cancel-late', 'onebot')
  const { scheduledMessages } = world.product.parts
  const cancel = (id: string) => scheduledMessages.cancel(session.sessionKey, { id, reason: 'cancelled' })
  scripted.push(() => Promise.reject(new ChannelFailure('away', true, 'away', { retryAfterMs: 60_000 })))
  const first = await promise(world.product, session, soon(), 'between')
  await eventually(async () => (await find(first.id)).lastError)
  expect(await cancel(first.id)).toHaveLength(1)
  await world.say(session, 'behind')
  await eventually(() => received.some(({ text }) => text === 'behind'))
  let answer = () => undefined as void
  scripted.push(() => new Promise((resolve) => (answer = resolve)))
  const second = await promise(world.product, session, soon(), 'during')
  await eventually(() => received.some(({ text }) => text === 'during'))
  expect(await cancel(second.id)).toEqual([])
  answer()
  expect(await ended(second.id)).toMatchObject({ status: 'sent' })
}, 60_000)

test('a session that is deleted during a call ends its message at once, and a new one with its key hears nothing of it', async () => {
  const session = await world.open('deleted', 'onebot')
  let answer = () => undefined as void
  scripted.push(() => new Promise((resolve) => (answer = resolve)))
  const { id } = await promise(world.product, session, soon(), 'last words')
  await eventually(() => received.length === 1)
  const [delivery] = await deliveriesOf(session)
  await world.product.parts.stores.sessions.delete(session.sessionKey, { deleteAutomations: true })
  expect(await find(id)).toMatchObject({ status: 'cancelled', cancelReason: 'session deleted' })
  await world.open('deleted', 'onebot')
  answer()
  const { scheduler, reconcile } = world.product.parts
  await eventually(async () => (await scheduler.stateOf(`delivery/${delivery!.id}`)) !== 'open')
  expect(await attemptsOf(`scheduled_message:${id}`)).toEqual(['accepted'])
  expect(await find(id)).toMatchObject({ status: 'cancelled' })
  expect(received).toHaveLength(1)
  await reconcile()
}, 60_000)

test('the workflows of a deleted session end at once', async () => {
  const { scheduler, stores } = world.product.parts
  const session = await world.open('many-pending')
  const ids: string[] = []
  for (let number = 0; number < 5; number++) {
    ids.push((await promise(world.product, session, soon(3_600_000), `${number}`)).id)
  }
  const open = async () => await Promise.all(ids.map((id) => scheduler.stateOf(`scheduled-message/${id}`)))
  await eventually(async () => (await open()).every((state) => state === 'open'))
  await stores.sessions.delete(session.sessionKey, { deleteAutomations: true })
  await eventually(async () => (await open()).every((state) => state === 'cancelled'), 15_000)
}, 60_000)

test('an answer that was lost may mean that the message is there: it is tried again and flagged', async () => {
  const session = await world.open('lost-answer', 'onebot')
  const lost = () => Promise.reject(new ChannelFailure('cut', true, 'cut off', { uncertain: true, retryAfterMs: 100 }))
  scripted.push(lost)
  await world.say(session, 'said')
  const said = await eventually(async () => (await deliveriesOf(session)).find(({ state }) => state === 'sent'))
  expect(said).toMatchObject({ attempts: 2, possibleDuplicate: true })
  expect(await attemptsOf(`delivery:${said.id}`)).toEqual(['uncertain', 'accepted'])
  scripted.push(lost)
  const { id } = await promise(world.product, session, soon(), 'promised')
  expect(await ended(id)).toMatchObject({ status: 'sent', attempts: 2, possibleDuplicate: true })
  expect(await attemptsOf(`scheduled_message:${id}`)).toEqual(['uncertain', 'accepted'])
}, 60_000)

test('waiting for a place costs no attempt', async () => {
  const session = await world.open('no-place', 'onebot')
  waits = 3
  const { id } = await promise(world.product, session, soon(), 'patient')
  expect(await ended(id)).toMatchObject({ status: 'sent', attempts: 1 })
  expect(await attemptsOf(`scheduled_message:${id}`)).toEqual(['accepted'])
}, 60_000)

test('an error that nobody expected ends as a failure in bounded time, and the line goes on', async () => {
  const session = await world.open('unexpected', 'onebot')
  const { pool } = world.product.parts.database
  const { id } = await promise(world.product, session, soon(), UNLUCKY)
  await eventually(async () => (await find(id)).lastError)
  expect(await find(id)).toMatchObject({ status: 'pending' })
  await world.say(session, 'the next')
  // As if it had begun twenty minutes ago.
  const earlier = `- interval '20 minutes'`
  await pool.query(`UPDATE scheduled_messages SET send_at_ts = send_at_ts ${earlier} WHERE id = $1`, [id])
  await pool.query(`UPDATE delivery_attempts SET started_at = started_at ${earlier} WHERE source_ref = $1`, [
    `scheduled_message:${id}`,
  ])
  expect(await ended(id, 30_000)).toMatchObject({ status: 'failed', lastError: 'unexpected: TypeError' })
  await eventually(() => received.some(({ text }) => text === 'the next'))
  expect(await findContradictions(world.product.parts.database.pool)).toEqual({})
}, 60_000)

test('quiet hours that begin while a reminder waits for its turn keep it back, and hold up nobody', async () => {
  const session = await world.open('quiet-in-line', 'onebot')
  const { stores, database } = world.product.parts
  await stores.sessions.update(session.sessionKey, { timezone: 'UTC' })
  scripted.push(() => Promise.reject(new ChannelFailure('away', true, 'away', { retryAfterMs: 4_000 })))
  const { id } = await promise(world.product, session, soon(), 'hush')
  await eventually(async () => (await find(id)).lastError)
  const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)
  await stores.notifications.change(session.sessionKey, { quietHours: { start: clock(-5), end: clock(120) } })
  await eventually(async () => (await find(id)).deferredFrom)
  await world.say(session, 'an answer at night')
  await eventually(() => received.some(({ text }) => text === 'an answer at night'))
  expect(await find(id)).toMatchObject({ status: 'pending' })
  expect(received.filter(({ text }) => text === 'hush')).toHaveLength(1)
  const { scheduledMessages } = world.product.parts
  expect(await scheduledMessages.cancel(session.sessionKey, { id, reason: 'cancelled' })).toHaveLength(1)
  expect(await findContradictions(database.pool)).toEqual({})
}, 60_000)

test('what an older version had begun is handed over and sent once, flagged', async () => {
  const session = await world.open('older', 'onebot')
  const { database } = world.product.parts
  const { id } = await promise(world.product, session, soon(3_600_000), 'from before')
  await database.pool.query(`INSERT INTO delivery_attempts (source_ref, number, channel) VALUES ($1, 1, 'onebot')`, [
    `scheduled_message:${id}`,
  ])
  await database.pool.query('UPDATE scheduled_messages SET attempts = 1, send_at_ts = now() WHERE id = $1', [id])
  expect(await world.product.parts.stores.scheduledMessages.handOver(id)).toMatchObject({ state: 'handed_over' })
  expect(await ended(id)).toMatchObject({ status: 'sent', attempts: 2, possibleDuplicate: true })
  expect(await attemptsOf(`scheduled_message:${id}`)).toEqual(['uncertain', 'accepted'])
  expect(received).toHaveLength(1)
}, 60_000)
