import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { JsonObject } from '../../src/contracts/words'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { TOKEN } from '../support/telegram-server'
import { WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'
import { pushBy } from './push-fixture'
import type { PushWish } from './push-fixture'

const LIMITS = { PUNCTUAL_PUSHES_PER_TARGET: '10', PUNCTUAL_PUSHES_PER_BOT: '1000', PUNCTUAL_PUSHES_PER_KEY: '1000' }

let product: Product
let doors: FastifyInstance[]
let key: string

beforeAll(async () => {
  product = await buildProduct({ ...WITHOUT_TEMPORAL, ...LIMITS })
  doors = [await product.serve(), await product.serve(await product.another())]
  key = await product.addKey()
})

afterAll(async () => {
  for (const door of doors) await door.close()
  await product.close()
})

const push = (wish: PushWish, idempotencyKey?: string, door = 0) =>
  pushBy(doors[door]!, { key, botUuid: product.botUuid, idempotencyKey }, wish)

async function stored(targetId: string): Promise<{ text: string; chain: JsonObject[] }[]> {
  const { rows } = await product.parts.database.pool.query<{ text: string; chain: JsonObject[] }>(
    `SELECT message_content AS text, message_chain AS chain FROM message_history WHERE launcher_id = $1 AND source_kind = 'push' ORDER BY id`,
    [targetId],
  )
  return rows
}

test('a chain is stored with its parts and its text, and shown live', async () => {
  const target = uuidv7()
  const chain = [
    { type: 'Plain', text: '看看：' },
    { type: 'Image', url: 'https://example.com/image.jpg' },
  ]
  const { data } = await push({ target_id: target, message: chain })
  expect(data).toMatchObject({ message: 'Message sent successfully', status: 'sent' })
  expect(await stored(target)).toEqual([{ text: '看看：[Image] https://example.com/image.jpg', chain }])
  const [key] = await product.parts.stores.history.sessionsOf({
    ...{ botUuid: product.botUuid, launcherType: 'person', launcherId: target },
  })
  const [event] = await product.parts.stores.events.after(key!, 0, 10)
  expect(event).toMatchObject({
    name: 'message',
    data: { id: data.message_id, message_chain: chain, source_kind: 'push' },
  })
})

test('it goes where the person was last heard, and a group can be spoken to', async () => {
  const session = await product.parts.sessions.resolve(
    { kind: 'user', id: 'x', name: 'x', scopes: ['send'], bots: 'all' },
    { sessionKey: `thread:${uuidv7()}`, botUuid: product.botUuid, launcherId: 'mia' },
  )
  expect((await push({ target_id: 'mia' })).data).toMatchObject({ session_key: session.sessionKey })
  const group = uuidv7()
  expect((await push({ target_id: group, target_type: 'group' })).data).toMatchObject({ status: 'sent' })
  expect(await stored(group)).toHaveLength(1)
})

test.each([
  ['an unknown part', { message: [{ type: 'Dance' }] }, 400, 'unknown_part'],
  ['nothing to say', { message: ' ' }, 400, 'empty_message'],
  ['a quote alone', { message: [{ type: 'Quote', id: '12', text: 'tea?' }] }, 400, 'empty_message'],
  ['too long a text', { message: 'x'.repeat(10_001) }, 400, 'message_too_long'],
  ['an unknown kind of target', { target_type: 'planet' }, 400, 'validation_failed'],
  ['an unknown pipeline', { pipeline_uuid: 'nobody' }, 400, 'unknown_pipeline'],
  ['a bot of others', { bot_uuid: 'someone-elses' }, 404, 'not_found'],
])('%s is refused and leaves nothing behind', async (_name, wish, status, code) => {
  const target = uuidv7()
  expect(await push({ target_id: target, ...wish })).toMatchObject({ status, error: { code } })
  expect(await stored(target)).toEqual([])
})

const onTelegram = { token: TOKEN, api_root: 'https://telegram.example.com' }

test('a group that the bot has not met is spoken to on the channel that reaches it, never on a page nobody reads', async () => {
  const { parts } = product
  const bot_uuid = uuidv7()
  await parts.stores.bots.create({ uuid: bot_uuid, name: 'On Telegram' })
  const key = (await parts.access.createApiKey(ADMIN, { name: 't', scopes: ['send'], botUuids: [bot_uuid] })).key
  const say = (wish: PushWish) => pushBy(doors[0]!, { key, botUuid: bot_uuid }, { channel: undefined, ...wish })
  const group = { target_id: '-100555', target_type: 'group' }
  expect(await say(group)).toMatchObject({ status: 409, error: { code: 'target_unknown' } })
  await parts.botPlatforms.set(ADMIN, bot_uuid, 'telegram', onTelegram)
  expect((await say(group)).data).toMatchObject({ status: 'queued', session_key: `telegram:${bot_uuid}:group:-100555` })
  expect(await say({ target_id: 'not-a-number' })).toMatchObject({ status: 409, error: { code: 'target_unknown' } })
  await parts.botPlatforms.set(ADMIN, bot_uuid, 'webhook', { url: 'https://example.com/hook' })
  expect(await say({ target_id: '78' })).toMatchObject({ status: 400, error: { code: 'channel_needed' } })
  expect((await say({ target_id: '78', channel: 'webhook' })).data.session_key).toBe(`webhook:${bot_uuid}:person:78`)
  expect((await say({ target_id: '79', channel: 'web' })).data).toMatchObject({ status: 'sent' })
  expect(await say({ target_id: '79', channel: 'onebot' })).toMatchObject({ error: { code: 'channel_cannot_reach' } })
}, 60_000)

test('twenty retries with one key, ten at once and over two doors, are one message and one answer', async () => {
  const target = uuidv7()
  const idempotencyKey = uuidv7()
  const try_ = (number: number) => push({ target_id: target }, idempotencyKey, number % 2)
  const together = await Promise.all(Array.from({ length: 10 }, (_, number) => try_(number)))
  const later = []
  for (let number = 10; number < 20; number++) later.push(await try_(number))
  const answers = [...together, ...later].map(({ status, data }) => JSON.stringify([status, data]))
  expect(new Set(answers).size).toBe(1)
  expect(together[0]).toMatchObject({ status: 200, data: { status: 'sent' } })
  expect(await stored(target)).toHaveLength(1)
})

test('the same key for another body is refused; after a day, or for another caller, it is new', async () => {
  const target = uuidv7()
  const idempotencyKey = uuidv7()
  await push({ target_id: target }, idempotencyKey)
  expect(await push({ target_id: target, message: 'other' }, idempotencyKey)).toMatchObject({
    ...{ status: 409, error: { code: 'idempotency_key_reused' } },
  })
  const another = { key: await product.addKey(), botUuid: product.botUuid, idempotencyKey }
  expect((await pushBy(doors[0]!, another, { target_id: target, message: 'mine' })).status).toBe(200)
  await product.parts.database.pool.query(
    `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`,
    [idempotencyKey],
  )
  expect((await push({ target_id: target, message: 'next day' }, idempotencyKey)).status).toBe(200)
  expect((await stored(target)).map(({ text }) => text)).toEqual(['hello', 'mine', 'next day'])
})

test('what was refused costs no key: it may be repeated', async () => {
  const target = uuidv7()
  const idempotencyKey = uuidv7()
  expect((await push({ target_id: target, message: [] }, idempotencyKey)).status).toBe(400)
  expect((await push({ target_id: target }, idempotencyKey)).status).toBe(200)
})

test('the limit of a target holds over two doors and a restart', async () => {
  const target = uuidv7()
  const begun = Date.now()
  const burst = await Promise.all(
    Array.from({ length: 30 }, (_, number) => push({ target_id: target }, undefined, number % 2)),
  )
  await doors[1]!.close()
  doors[1] = await product.serve(await product.another())
  const more = await Promise.all(Array.from({ length: 10 }, () => push({ target_id: target }, undefined, 1)))
  const passed = [...burst, ...more].filter(({ status }) => status === 200)
  // Five at once, and five more as the minute goes by; a slow machine may have seen some of those.
  expect(passed.length).toBeGreaterThanOrEqual(5)
  expect(passed.length).toBeLessThanOrEqual(5 + Math.ceil((5 * (Date.now() - begun)) / 60_000))
  const refused = [...burst, ...more].find(({ status }) => status !== 200)!
  expect(refused).toMatchObject({ status: 429, error: { code: 'push_limit' } })
  expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1)
  expect(Number(refused.retryAfter)).toBeLessThanOrEqual(12)
  expect(await stored(target)).toHaveLength(passed.length)
  expect((await push({ target_id: uuidv7() })).status).toBe(200)
})

test('tokens come back with time, never more than the bucket holds', async () => {
  const target = uuidv7()
  const age = (seconds: number) =>
    product.parts.database.pool.query(
      `UPDATE push_budgets SET refilled_at = refilled_at - make_interval(secs => $2) WHERE name LIKE '%' || $1`,
      [target, seconds],
    )
  const passing = async () => {
    let count = 0
    while ((await push({ target_id: target })).status === 200) count++
    return count
  }
  await passing()
  await age(3_600)
  expect(await passing()).toBeLessThanOrEqual(6)
})

test('the limits of a key and of a bot hold over all targets', async () => {
  const tight = await product.serve(await product.another({ PUNCTUAL_PUSHES_PER_KEY: '4' }))
  const own = { key: await product.addKey(), botUuid: product.botUuid }
  const states = []
  for (let number = 0; number < 4; number++) states.push((await pushBy(tight, own, { target_id: uuidv7() })).status)
  await tight.close()
  expect(states.slice(0, 2)).toEqual([200, 200])
  expect(states).toContain(429)
})

test('who has said stop gets no push, and the answer says why; other conversations do', async () => {
  const target = uuidv7()
  const { data } = await push({ target_id: target })
  const settings = (payload: object) =>
    doors[0]!.inject({
      ...{
        method: 'PATCH',
        url: `/api/v1/sessions/${encodeURIComponent(data.session_key)}`,
      },
      ...{ headers: { 'x-api-key': key }, payload },
    })
  expect((await settings({ pushes_enabled: false })).json()).toMatchObject({ data: { pushes_enabled: false } })
  expect(await push({ target_id: target, urgent: true })).toMatchObject({
    ...{ status: 403, error: { code: 'recipient_opted_out' } },
  })
  expect(await stored(target)).toHaveLength(1)
  expect((await push({ target_id: uuidv7() })).status).toBe(200)
  await settings({ pushes_enabled: true })
  expect((await push({ target_id: target })).status).toBe(200)
})
