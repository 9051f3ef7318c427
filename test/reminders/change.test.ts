import type { FastifyInstance } from 'fastify'
import { DateTime } from 'luxon'
import type { ScheduledMessage } from '../../src/reminders/contract'
import type { Session } from '../../src/conversation/session'
import { readNewTime } from '../../src/reminders/read-time'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { findContradictions, mapLimited, promise, schedule, WITHOUT_TEMPORAL } from './reminder-fixture'

let product: Product
let app: FastifyInstance
let key: string
beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
  app = await product.serve()
  key = await product.addKey()
}, 120_000)
afterAll(() => product.close())

const pendingOf = (session: Session) =>
  product.parts.scheduledMessages.list({
    bots: 'all',
    sessionKey: session.sessionKey,
    status: 'pending',
    limit: 100,
  })
const say = (session: Session, message: string) => product.parts.chat.send(session, { message, senderId: 'me' })
const clockOf = ({ sendAt, timezone }: ScheduledMessage) =>
  DateTime.fromJSDate(sendAt, { zone: timezone }).toFormat('HH:mm')
const patch = (id: string, payload: object) =>
  app.inject({
    method: 'PATCH',
    url: `/api/v1/scheduled-messages/${id}`,
    headers: { authorization: `Bearer ${key}` },
    payload,
  })

async function sessionWith(...texts: string[]): Promise<{ session: Session; messages: ScheduledMessage[] }> {
  const session = await product.session()
  for (const [index, messageText] of texts.entries()) {
    await schedule(product, session, { sendAt: `后天${8 + index}:00`, messageText })
  }
  return { session, messages: await pendingOf(session) }
}

describe('over HTTP', () => {
  test('another time and another text are one new message in the place of the old one, which is named', async () => {
    const { session, messages } = await sessionWith('提醒：喝水')
    const [old] = messages
    const answer = await patch(old!.id, { send_at: '10:30', message_text: '提醒：喝茶' })
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json<{ data: { task_id: string; cancelled_task_ids: string[] } }>()
    expect(data.cancelled_task_ids).toEqual([old!.id])
    const [now, ...others] = await pendingOf(session)
    expect(others).toEqual([])
    expect(now).toMatchObject({ id: data.task_id, messageText: '提醒：喝茶' })
    expect(clockOf(now!)).toBe('10:30')
    const day = (message: ScheduledMessage) =>
      DateTime.fromJSDate(message.sendAt, { zone: session.timezone }).toISODate()
    expect(day(now!)).toBe(day(old!))
    expect(await product.parts.scheduledMessages.find(old!.id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'replaced',
    })
  })

  test('a text alone keeps the instant', async () => {
    const { session, messages } = await sessionWith('a')
    expect((await patch(messages[0]!.id, { message_text: 'b' })).statusCode).toBe(200)
    expect((await pendingOf(session))[0]).toMatchObject({ messageText: 'b', sendAt: messages[0]!.sendAt })
  })

  test.each([
    [{}, 400, 'nothing_to_change'],
    [{ send_at: 'when pigs fly' }, 400, 'invalid_time'],
    [{ message_text: '  ' }, 400, 'empty_text'],
  ])('%j is refused and changes nothing', async (body, status, code) => {
    const { session, messages } = await sessionWith('a')
    const answer = await patch(messages[0]!.id, body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ error: { code: string } }>().error.code).toBe(code)
    expect(await pendingOf(session)).toEqual(messages)
  })

  test('what is not pending any more is too late, and nothing new is made', async () => {
    const { session, messages } = await sessionWith('a')
    await product.parts.scheduledMessages.cancel(session.sessionKey, { id: messages[0]!.id, reason: 'cancelled' })
    const answer = await patch(messages[0]!.id, { message_text: 'b' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json<{ error: { code: string } }>().error.code).toBe('too_late')
    expect(await pendingOf(session)).toEqual([])
  })
})

describe('by chat', () => {
  test.each([
    ['把第2个提醒改到9点半', '09:30', '提醒：开会'],
    ['把喝水的提醒改成喝茶', '08:00', '提醒：喝茶'],
    ['change reminder 1 to say drink tea', '08:00', 'Reminder: drink tea'],
    ['move reminder 2 to 11:15', '11:15', '提醒：开会'],
  ])('%s', async (words, clock, text) => {
    const { session, messages } = await sessionWith('提醒：喝水', '提醒：开会')
    const { effects, content } = await say(session, words)
    const after = await pendingOf(session)
    expect(after).toHaveLength(2)
    const changed = after.find(({ id }) => messages.every((old) => old.id !== id))!
    expect([clockOf(changed), changed.messageText]).toEqual([clock, text])
    expect(effects).toMatchObject([
      { did: 'cancelled', reason: 'replaced' },
      { did: 'changed', id: changed.id },
    ])
    expect(content).toContain(clock)
  })

  test('"it" is the one that was set last', async () => {
    const { session } = await sessionWith('提醒：开会')
    await say(session, '明天早上9点提醒我买菜')
    await say(session, '改到10点')
    const texts = (await pendingOf(session)).map((message) => [clockOf(message), message.messageText])
    expect(texts).toEqual([
      ['10:00', '提醒：买菜'],
      ['08:00', '提醒：开会'],
    ])
  })

  test('of several that it could be the person chooses, and nothing is done meanwhile', async () => {
    const { session, messages } = await sessionWith('提醒：给妈妈打电话', '提醒：给爸爸打电话')
    const { content, effects } = await say(session, '把打电话的提醒改到12点')
    expect(content).toMatch(/要改哪一条/)
    expect(effects).toEqual([])
    expect(await pendingOf(session)).toEqual(messages)
  })
})

test.each([
  ['4点', '2026-11-20T15:00', '2026-11-20T16:00'],
  ['9点', '2026-11-20T20:00', '2026-11-20T21:00'],
  ['10:30', '2026-11-20T15:00', '2026-11-20T10:30'],
  ['7pm', '2026-11-20T15:00', '2026-11-20T19:00'],
  ['明天', '2026-11-20T15:00', '2026-11-18T15:00'],
  ['next Monday', '2026-11-20T15:05', '2026-11-23T15:05'],
  ['20分钟后', '2026-11-20T15:00', '2026-11-17T09:50'],
  ['明天下午5点', '2026-11-20T15:00', '2026-11-18T17:00'],
])('"%s" for one at %s is %s', (text, old, expected) => {
  const zone = 'Asia/Shanghai'
  const at = (local: string) => DateTime.fromISO(local, { zone }).toJSDate()
  const read = readNewTime({ text, now: at('2026-11-17T09:30'), zone, old: at(old) })
  expect(read.ok && DateTime.fromJSDate(read.sendAt, { zone }).toFormat("yyyy-MM-dd'T'HH:mm")).toBe(expected)
})

test('of 200 changes that race with a cancel each has one winner, and no message is lost or doubled', async () => {
  const session = await product.session()
  const inAnHour = new Date(Date.now() + 3_600_000)
  const outcomes = await mapLimited(200, async (number) => {
    const home = number % 2 === 0 ? session : await product.session()
    const message = await promise(product, home, inAnHour, `m${number}`)
    const [changed, cancelled] = await Promise.all([
      product.parts.scheduledMessages.change(home, message, { messageText: `n${number}`, language: 'en' }),
      product.parts.scheduledMessages.cancel(home.sessionKey, { id: message.id, reason: 'cancelled' }),
    ])
    const left = await product.parts.scheduledMessages.find(changed.ok ? changed.message.id : message.id)
    await product.parts.scheduledMessages.cancel(home.sessionKey, { reason: 'cancelled', id: left!.id })
    return { changed: changed.ok, cancelled: cancelled.length === 1, left: left!.status }
  })
  expect(outcomes.filter(({ changed, cancelled }) => changed === cancelled)).toEqual([])
  expect(outcomes.filter(({ changed, left }) => left !== (changed ? 'pending' : 'cancelled'))).toEqual([])
  expect(await findContradictions(product.parts.database.pool)).toEqual({})
}, 120_000)
