import type { FastifyInstance } from 'fastify'
import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { promise } from './reminder-fixture'
import { pushBy } from '../push/push-fixture'

let product: Product
let door: FastifyInstance
let key: string

beforeAll(async () => {
  product = await buildProduct()
  // Due times are moved by hand here: a workflow may still sleep for a message that was sent.
  product.guard.expectLooseRows('scheduled_message')
  await product.startWorker()
  door = await product.serve()
  key = await product.addKey()
})

afterAll(async () => {
  await door.close()
  await product.close()
})

/** Clock times around this moment, as whole minutes of the session's zone. */
const clock = (minutes: number) => DateTime.now().setZone('UTC').plus({ minutes }).toFormat('HH:mm')

async function quietSession(start: string, end: string): Promise<Session> {
  const { sessionKey } = await product.session(uuidv7())
  const session = await product.parts.stores.sessions.update(sessionKey, { timezone: 'UTC' })
  await product.parts.stores.notifications.change(sessionKey, { quietHours: { start, end } })
  return session!
}

/** As when the quiet hours have gone by: what waits is due now. */
async function endQuiet(session: Session): Promise<void> {
  await product.parts.stores.notifications.change(session.sessionKey, { quietHours: null })
  await product.parts.database.pool.query(
    `UPDATE scheduled_messages SET send_at_ts = now() WHERE session_id = $1 AND status = 'pending'`,
    [session.sessionKey],
  )
}

const find = async (id: string) => (await product.parts.stores.scheduledMessages.find(id))!
/** Whether it was due and has been moved; that it will be is said from the beginning. */
const isMoved = async (id: string) => {
  const { rows } = await product.parts.database.pool.query(
    'SELECT 1 FROM scheduled_messages WHERE id = $1 AND deferred_from IS NOT NULL',
    [id],
  )
  return rows.length > 0
}
const said = (session: Session) => product.parts.stores.messages.latest(session.sessionKey, { limit: 20 })
const pushTo = (session: Session, more: { urgent?: boolean } = {}) =>
  pushBy(door, { key, botUuid: product.botUuid }, { target_id: session.launcherId, ...more })

test('a reminder that is due in quiet hours moves to their end, visibly, and is not sent before', async () => {
  const end = clock(120)
  const session = await quietSession(clock(-5), end)
  const dueAt = new Date(Date.now() + 1_000)
  const { id } = await promise(product, session, dueAt)
  await eventually(() => isMoved(id))
  const moved = await find(id)
  expect(moved).toMatchObject({ status: 'pending', lateByMs: null, attempts: 0 })
  expect(moved.deferredFrom!.getTime()).toBe(dueAt.getTime())
  expect(DateTime.fromJSDate(moved.sendAt).setZone('UTC').toFormat('HH:mm')).toBe(end)
  const events = await product.parts.stores.events.after(session.sessionKey, 0, 50)
  expect(events.at(-1)).toMatchObject({
    name: 'promise',
    data: { id, state: 'pending', due_at: moved.sendAt.toISOString(), deferred_from: dueAt.toISOString() },
  })
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(await said(session)).toEqual([])
})

test('at their end it is sent once, late only since then, and says that it was moved', async () => {
  // The quiet hours end at the next full minute: what waits is sent by its own workflow, which has slept until then.
  const session = await quietSession(clock(-5), clock(1))
  const { id } = await promise(product, session, new Date(Date.now() + 500))
  await eventually(async () => (await find(id)).status === 'sent', 90_000)
  const sent = await find(id)
  const messages = await said(session)
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatchObject({ sourceKind: 'scheduled_send', metadata: { scheduled_message_id: id } })
  if (sent.deferredFrom === null) return // The minute was over before it was due.
  expect(messages[0]!.metadata['deferred_from']).toBe(sent.deferredFrom.toISOString())
  expect(sent.sentAt!.getTime()).toBeGreaterThanOrEqual(sent.sendAt.getTime())
  expect(sent.lateByMs!).toBeLessThan(sent.sentAt!.getTime() - sent.deferredFrom.getTime() + 1)
}, 120_000)

test('a push waits as a scheduled message and is kept as a push', async () => {
  const session = await quietSession(clock(-5), clock(120))
  const { data } = await pushTo(session)
  expect(data).toMatchObject({
    status: 'deferred',
    message_id: null,
    message: expect.stringContaining('quiet') as string,
  })
  expect(await find(data.scheduled_message_id!)).toMatchObject({ status: 'pending', sourceKind: 'push' })
  await endQuiet(session)
  await promise(product, session, new Date(Date.now() + 500)) // Its sweep takes along all that is due.
  await eventually(async () => (await find(data.scheduled_message_id!)).status === 'sent')
  expect((await said(session)).map(({ sourceKind }) => sourceKind)).toContain('push')
})

test('what is urgent goes through, and so does what comes outside of the hours', async () => {
  const quiet = await quietSession(clock(-5), clock(120))
  expect((await pushTo(quiet, { urgent: true })).data).toMatchObject({ status: 'sent' })
  const awake = await quietSession(clock(60), clock(120))
  expect((await pushTo(awake)).data).toMatchObject({ status: 'sent' })
})

test('a reminder can be cancelled while it waits, and who says stop gets none of the pushes that wait', async () => {
  const session = await quietSession(clock(-5), clock(120))
  const { id } = await promise(product, session, new Date(Date.now() + 500))
  await eventually(() => isMoved(id))
  const { data } = await pushTo(session)
  await product.parts.stores.notifications.change(session.sessionKey, { pushes: false })
  expect(await find(data.scheduled_message_id!)).toMatchObject({
    status: 'cancelled',
    cancelReason: 'pushes turned off',
  })
  expect(await find(id)).toMatchObject({ status: 'pending' })
  expect(await product.parts.scheduledMessages.cancel(session.sessionKey, { id, reason: 'cancelled' })).toHaveLength(1)
})

test('many at once are moved by one sweep, each once, and nothing is sent twice at the end', async () => {
  const session = await quietSession(clock(-5), clock(120))
  const dueAt = new Date(Date.now() + 3_000)
  const ids: string[] = []
  for (let number = 0; number < 15; number++) ids.push((await promise(product, session, dueAt, `${number}`)).id)
  await eventually(async () => (await Promise.all(ids.map(isMoved))).every(Boolean))
  const told = (await product.parts.stores.events.after(session.sessionKey, 0, 200)).filter(
    ({ data }) => data['deferred_from'] !== undefined,
  )
  // Once when it was promised, and once when it was moved.
  expect(told.map(({ data }) => data['id']).sort()).toEqual([...ids, ...ids].sort())
  await endQuiet(session)
  await promise(product, session, new Date(Date.now() + 500), 'last')
  await eventually(async () => (await said(session)).length === 16)
})

test('a zone that PostgreSQL does not know keeps no hours and holds up nobody', async () => {
  const session = await quietSession(clock(-5), clock(120))
  await product.parts.database.pool.query(`UPDATE sessions SET timezone = 'Nowhere/Land' WHERE session_key = $1`, [
    session.sessionKey,
  ])
  const { id } = await promise(product, session, new Date(Date.now() + 500))
  await eventually(async () => (await find(id)).status === 'sent')
})

test.each([
  ['before midnight', '2030-03-01T23:30:00Z', '22:00', '07:00', 'UTC', '2030-03-02T07:00:00.000Z'],
  ['after midnight', '2030-03-02T05:00:00Z', '22:00', '07:00', 'UTC', '2030-03-02T07:00:00.000Z'],
  ['at their beginning', '2030-03-01T22:00:00Z', '22:00', '07:00', 'UTC', '2030-03-02T07:00:00.000Z'],
  ['at their end', '2030-03-02T07:00:00Z', '22:00', '07:00', 'UTC', null],
  ['outside', '2030-03-01T12:00:00Z', '22:00', '07:00', 'UTC', null],
  ['at noon', '2030-03-01T12:30:00Z', '12:00', '14:00', 'UTC', '2030-03-01T14:00:00.000Z'],
  ['in the zone of the session', '2030-03-01T16:00:00Z', '22:00', '07:00', 'Asia/Shanghai', '2030-03-01T23:00:00.000Z'],
  [
    'over a night that is an hour shorter',
    '2030-03-10T05:00:00Z',
    '22:00',
    '07:00',
    'America/New_York',
    '2030-03-10T11:00:00.000Z',
  ],
  [
    'to an end that the clock leaps over',
    '2030-03-10T06:00:00Z',
    '22:00',
    '02:30',
    'America/New_York',
    '2030-03-10T07:30:00.000Z',
  ],
])('quiet %s', async (_name, due, start, end, zone, expected) => {
  const { rows } = await product.parts.database.pool.query<{ until: Date | null }>(
    'SELECT quiet_until($1, $2, $3, $4) AS until',
    [due, zone, start, end],
  )
  expect(rows[0]!.until?.toISOString() ?? null).toBe(expected)
})

test('until it comes, every list says when it will really come', async () => {
  const end = clock(120)
  const session = await quietSession(clock(-5), end)
  const asked = new Date(Date.now() + 10 * 60_000)
  const { id, sendAt } = await promise(product, session, asked)
  expect(DateTime.fromJSDate(sendAt).setZone('UTC').toFormat('HH:mm')).toBe(end)
  const { sessionKey } = session
  const list = () => product.parts.stores.promises.list({ bots: 'all', sessionKey, limit: 5 })
  expect(await list()).toMatchObject([{ id, dueAt: sendAt }])
  expect(await find(id)).toMatchObject({ sendAt, deferredFrom: asked, status: 'pending' })
  const [told] = await product.parts.stores.events.after(sessionKey, 0, 5)
  expect(told?.data).toMatchObject({ due_at: sendAt.toISOString(), deferred_from: asked.toISOString() })
  await product.parts.stores.notifications.change(sessionKey, { quietHours: null })
  expect(await find(id)).toMatchObject({ sendAt: asked, deferredFrom: null })
  expect(await list()).toMatchObject([{ id, dueAt: asked }])
})

test('the person is told when they set it that it will wait', async () => {
  const session = await quietSession(clock(-5), clock(120))
  const outcome = await product.parts.scheduledMessages.schedule(session, {
    ...{ sendAt: 'in 10 minutes', messageText: 'tea', replaceExisting: false, language: 'en' },
  })
  expect(outcome).toMatchObject({ ok: true, note: expect.stringContaining('quiet hours') as string })
})
