import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { activitiesOf } from '../../src/build/worker'
import type { Activities } from '../../src/contracts/activities'
import type { Session } from '../../src/conversation/session'
import type { ScheduledMessage } from '../../src/reminders/contract'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { mapLimited, promise, WITHOUT_TEMPORAL } from './reminder-fixture'

let product: Product
let worker: Activities
let app: FastifyInstance
let key: string
beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
  worker = activitiesOf(product.parts)
  app = await product.serve()
  key = await product.addKey()
}, 120_000)
afterAll(() => product.close())

const say = (session: Session, message: string) => product.parts.chat.send(session, { message, senderId: 'me' })
const find = async (id: string) => (await product.parts.scheduledMessages.find(id))!
const pendingOf = ({ sessionKey }: Session) =>
  product.parts.scheduledMessages.list({ bots: 'all', sessionKey, status: 'pending', limit: 100 })
const post = (id: string, what: string, payload: object = {}) =>
  app.inject({
    method: 'POST',
    url: `/api/v1/scheduled-messages/${id}/${what}`,
    headers: { authorization: `Bearer ${key}` },
    payload,
  })
const saidIn = async ({ sessionKey }: Session): Promise<string[]> => {
  const { rows } = await product.parts.database.pool.query<{ content: string }>(
    `SELECT message_content AS content FROM message_history
     WHERE session_key = $1 AND source_kind = 'scheduled_send' ORDER BY id`,
    [sessionKey],
  )
  return rows.map(({ content }) => content)
}

/** A reminder that was sent just now; with `untilDone` it is said again in ten minutes. */
async function sent(session: Session, messageText = '提醒：喝水', untilDone = false): Promise<ScheduledMessage> {
  if (!untilDone) {
    const { id } = await promise(product, session, new Date(Date.now() - 10), messageText)
    await worker.deliverDue(id)
    return find(id)
  }
  const { sessionKey, timezone } = session
  const input = { id: uuidv7(), sessionKey, timezone, sendAt: new Date(Date.now() - 10), messageText }
  await product.parts.stores.scheduledMessages.create({
    ...input,
    replaceExisting: false,
    toolCallId: null,
    repeatSeconds: 600,
  })
  await worker.deliverDue(input.id)
  return find(input.id)
}

const makeDueAgain = (id: string) =>
  product.parts.database.pool.query(`UPDATE scheduled_messages SET next_repeat_at = now() WHERE id = $1`, [id])

describe('until it is done', () => {
  test('it is said again as often as it may be, each time a message of its own, and then rests', async () => {
    const session = await product.session()
    const { id, followUp, status } = await sent(session, '吃药', true)
    expect([status, followUp]).toEqual(['sent', 'repeating'])
    expect(await worker.deliverDue(id)).toMatchObject({ state: 'repeats', number: 1 })
    for (let time = 1; time <= 6; time += 1) {
      await makeDueAgain(id)
      const outcome = await worker.deliverDue(id)
      expect(outcome.state).toBe(time < 6 ? 'repeats' : 'unanswered')
      expect(await saidIn(session)).toHaveLength(1 + time)
    }
    expect(await worker.deliverDue(id)).toEqual({ state: 'unanswered' })
    expect(await saidIn(session)).toHaveLength(7)
    expect(await find(id)).toMatchObject({ followUp: 'unanswered', repeats: 6, nextRepeatAt: null })
  })

  test('quiet hours keep back what would be said again', async () => {
    const session = await product.session()
    const { id } = await sent(session, '吃药', true)
    await makeDueAgain(id)
    await product.parts.stores.notifications.change(session.sessionKey, { quietHours: allDay() })
    const outcome = await worker.deliverDue(id)
    expect(outcome.state === 'repeats' && outcome.waitMs).toBeGreaterThan(60_000)
    expect(await saidIn(session)).toHaveLength(1)
  })

  test('"done" ends it, and its workflow learns that it was done', async () => {
    const session = await product.session()
    const { id } = await sent(session, '提醒：吃药', true)
    await makeDueAgain(id)
    await worker.deliverDue(id)
    const { effects } = await say(session, '好了')
    expect(effects).toMatchObject([{ did: 'acknowledged', id }])
    expect(await worker.deliverDue(id)).toEqual({ state: 'acknowledged' })
    expect(await worker.cancelByOperator(id)).toEqual({ state: 'acknowledged' })
    expect(await saidIn(session)).toHaveLength(2)
  })

  test.each([
    ['明早8点提醒我吃药，直到我做完', '提醒：吃药'],
    ["remind me tomorrow at 8am to take pills until it's done", 'Reminder: take pills'],
  ])('%s', async (words, text) => {
    const session = await product.session()
    const { content } = await say(session, words)
    expect(await pendingOf(session)).toMatchObject([{ messageText: text, repeatSeconds: 600 }])
    expect(content).toMatch(/最多6次|at most 6 times/)
  })

  test('whoever cancels one that repeats stops it', async () => {
    const session = await product.session()
    const { id } = await sent(session, '提醒：吃药', true)
    const { effects } = await say(session, '取消提醒')
    expect(effects).toMatchObject([{ did: 'cancelled', id }])
    expect(await find(id)).toMatchObject({ status: 'sent', followUp: 'stopped', nextRepeatAt: null })
  })
})

/** From an hour ago to in an hour, by the clock of the session. */
function allDay() {
  const clock = (offsetMs: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone: 'Asia/Shanghai' }).format(Date.now() + offsetMs)
  return { start: clock(-3_600_000), end: clock(3_600_000) }
}

describe('put off', () => {
  test.each([
    ['10分钟后再提醒我', 10],
    ['稍后', 10],
    ['半小时后再提醒我', 30],
    ['remind me again in 20 minutes', 20],
    ['later', 10],
    ['snooze for 1 hour', 60],
  ])('by the words "%s"', async (words, minutes) => {
    const session = await product.session()
    const old = await sent(session)
    const { effects } = await say(session, words)
    expect(effects).toMatchObject([{ did: 'snoozed', id: old.id }])
    const [next] = await pendingOf(session)
    expect(next).toMatchObject({ messageText: '提醒：喝水', snoozedFrom: old.id })
    expect(Math.round((next!.sendAt.getTime() - Date.now()) / 60_000)).toBe(minutes)
    expect(await find(old.id)).toMatchObject({ status: 'sent', followUp: 'snoozed' })
  })

  test('"done" after it was put off also takes back what was to come', async () => {
    const session = await product.session()
    const old = await sent(session)
    const snoozed = await post(old.id, 'snooze', { until: 'in 1 hour' })
    expect(snoozed.statusCode).toBe(200)
    expect((await post(old.id, 'acknowledge')).statusCode).toBe(200)
    expect(await pendingOf(session)).toEqual([])
    const { next } = snoozed.json<{ data: { next: { id: string } } }>().data
    expect(await find(next.id)).toMatchObject({ status: 'cancelled', cancelReason: 'done' })
  })
})

describe('over HTTP', () => {
  test('what is done is told by an event, and cannot be put off or done again', async () => {
    const session = await product.session()
    const { id } = await sent(session)
    const answer = await post(id, 'acknowledge')
    expect(answer.json<{ data: object }>().data).toMatchObject({ scheduled_message: { id, follow_up: 'acknowledged' } })
    expect((await post(id, 'snooze')).json<{ error: object }>().error).toMatchObject({ code: 'already_acknowledged' })
    expect((await post(id, 'acknowledge')).statusCode).toBe(409)
    const { rows } = await product.parts.database.pool.query<{ state: string }>(
      `SELECT data ->> 'state' AS state FROM session_events WHERE session_key = $1 AND data ->> 'id' = $2 ORDER BY seq`,
      [session.sessionKey, id],
    )
    expect(rows.map(({ state }) => state)).toEqual(['pending', 'sent', 'acknowledged'])
  })

  test.each([
    ['snooze', { until: 'when pigs fly' }, 400, 'invalid_time'],
    ['snooze', {}, 409, 'not_sent'],
    ['acknowledge', {}, 409, 'not_sent'],
  ])('%s %j of one that is not sent yet is %i %s', async (what, body, status, code) => {
    const session = await product.session()
    const { id } = await promise(product, session, new Date(Date.now() + 3_600_000))
    const answer = await post(id, what, body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ error: { code: string } }>().error.code).toBe(code)
    expect((await find(id)).status).toBe('pending')
  })
})

test('words that answer no reminder settle nothing', async () => {
  const session = await product.session()
  expect((await say(session, '好了')).effects).toEqual([])
  await sent(session)
  await say(session, '谢谢')
  expect((await say(session, '你好')).effects).toEqual([])
})

test('of 500 that are put off, done, said again and cancelled at once each has one story, as the answers said', async () => {
  const { scheduledMessages } = product.parts
  const stories = await mapLimited(
    500,
    async () => {
      const session = await product.session()
      const { id } = await sent(session, 'race', true)
      await makeDueAgain(id)
      const [snoozed, done, cancelled] = await Promise.all([
        scheduledMessages.snooze(session, { id, language: 'en' }),
        scheduledMessages.acknowledge(session, { id }),
        scheduledMessages.cancel(session.sessionKey, { id, reason: 'cancelled' }),
        worker.deliverDue(id),
      ])
      const after = await find(id)
      const pending = await pendingOf(session)
      const said = await saidIn(session)
      return {
        snoozed: snoozed.ok,
        done: done.ok,
        cancelled: cancelled.length === 1,
        after,
        pending,
        said: said.length,
      }
    },
    8,
  )
  const wrong = stories.filter(({ snoozed, done, cancelled, after, pending, said }) => {
    const end = done ? 'acknowledged' : snoozed ? 'snoozed' : cancelled ? 'stopped' : 'none'
    const comes = end === 'snoozed' ? 1 : 0
    // Done may follow what was put off; a cancel is won only by who came first.
    const isOne = Number(cancelled) + Number(snoozed || done) === 1
    return (
      !isOne ||
      after.followUp !== end ||
      after.nextRepeatAt !== null ||
      pending.length !== comes ||
      said !== 1 + after.repeats
    )
  })
  expect(wrong).toEqual([])
  const ends = new Set(stories.map(({ after }) => after.followUp))
  expect(ends.size).toBeGreaterThan(1)
}, 300_000)
