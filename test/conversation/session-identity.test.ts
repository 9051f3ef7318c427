import type { FastifyInstance } from 'fastify'
import { listen, SseClient, until } from '../support/sse-client'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let base: string
const keys: Record<string, string> = {}

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  await house.addBot('bot-b')
  for (const bot of ['bot-a', 'bot-b']) {
    for (const scope of ['read', 'send'] as const) keys[`${scope}:${bot}`] = (await house.addKey(scope, bot)).key
  }
  app = await buildApp(house)
  base = await listen(app)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

async function call(key: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers: { 'x-api-key': keys[key]! }, payload })
  return { status: answer.statusCode, ...answer.json<{ data: never; error?: { code: string } }>() }
}
const said = (key: string, sessionKey: string) =>
  call(key, 'POST', '/api/ai/chat', { message: 'hello', session_key: sessionKey })
const sessionsOf = async (bot: string) =>
  (
    await house.database.pool.query<{ sessionKey: string; channel: string; launcherId: string; timezone: string }>(
      'SELECT session_key, channel, launcher_id, timezone FROM sessions WHERE bot_uuid = $1 AND deleted_at IS NULL ORDER BY 1',
      [bot],
    )
  ).rows

const PREDICTABLE = [
  ...['telegram', 'onebot', 'webhook', 'web'].flatMap((channel) =>
    Array.from({ length: 50 }, (_, n) => `${channel}:bot-a:person:${n}`),
  ),
  ...['unified:default', 'unified:bot-a', 'cron:1', 'cron:1:bot-a', 'telegram:', 'web:bot-a', 'web:bot-a:person:a:b'],
]

test('no predictable key of another bot can be taken, by reading or by writing', async () => {
  const before = await sessionsOf('bot-b')
  for (const name of PREDICTABLE) {
    const read = await call('read:bot-b', 'GET', `/api/v1/tasks?session_key=${encodeURIComponent(name)}`)
    const written = await said('send:bot-b', name)
    expect([name, read.status, written.status]).toEqual([name, expect.any(Number), expect.any(Number)])
    expect([400, 404]).toContain(read.status)
    expect([400, 404]).toContain(written.status)
  }
  expect(await sessionsOf('bot-b')).toEqual(before)
  const mine = await call('send:bot-a', 'POST', '/api/v1/scheduled-messages', {
    ...{ bot_uuid: 'bot-a', channel: 'telegram', launcher_id: '12', send_at: 'in 3 hours', message_text: 'hi' },
  })
  expect(mine.status).toBe(201)
})

test('a session that an older release let another bot take stays with it, and its owner gets one all the same', async () => {
  await house.addSession('telegram:bot-a:person:stolen', 'bot-b')
  const mine = await call('send:bot-a', 'POST', '/api/v1/scheduled-messages', {
    ...{ bot_uuid: 'bot-a', channel: 'telegram', launcher_id: 'stolen', send_at: 'in 3 hours', message_text: 'hi' },
  })
  expect(mine).toMatchObject({ status: 201, data: { session_id: 'telegram:bot-a:person:stolen' } })
  expect((await call('read:bot-b', 'GET', '/api/v1/promises')).data).toMatchObject({ count: 0 })
})

test('a key of the form that the server makes opens that very session', async () => {
  await said('send:bot-a', "webhook:bot-a:person:O'Mia(1)")
  const found = (await sessionsOf('bot-a')).filter(({ sessionKey: key }) => key.startsWith('webhook:'))
  expect(found).toEqual([expect.objectContaining({ channel: 'webhook', launcherId: "O'Mia(1)" })])
  const other = await call('send:bot-a', 'POST', '/api/ai/chat', {
    ...{ message: 'hello', session_key: 'webhook:bot-a:person:leo', launcher_id: 'mia' },
  })
  expect(other).toMatchObject({ status: 400, error: { code: 'reserved_session_key' } })
})

test('two bots use the same key without disturbing each other', async () => {
  expect((await said('send:bot-a', 'mychat')).data).toMatchObject({ session_key: 'mychat' })
  expect((await said('send:bot-b', 'mychat')).data).toMatchObject({ session_key: 'mychat' })
  for (const bot of ['bot-a', 'bot-b']) {
    expect((await sessionsOf(bot)).filter(({ sessionKey: key }) => key.endsWith('mychat'))).toHaveLength(1)
    const promised = await call(`send:${bot}`, 'POST', '/api/v1/scheduled-messages', {
      ...{ session_key: 'mychat', send_at: 'in 2 hours', message_text: bot },
    })
    expect(promised.data).toMatchObject({ session_id: 'mychat' })
    const list = await call(`read:${bot}`, 'GET', '/api/v1/promises?session_key=mychat')
    expect(list.data).toMatchObject({ count: 1, promises: [{ session_key: 'mychat', bot_uuid: bot, summary: bot }] })
    const one = await call(`read:${bot}`, 'GET', '/api/v1/sessions/mychat')
    expect(one.data).toMatchObject({ session_key: 'mychat', bot_uuid: bot })
  }
  expect(await call('send:bot-b', 'DELETE', '/api/v1/sessions/mychat')).toMatchObject({ data: { deleted: true } })
  expect((await call('read:bot-a', 'GET', '/api/v1/sessions/mychat')).status).toBe(200)
  expect((await call('read:bot-b', 'GET', '/api/v1/sessions/mychat')).status).toBe(404)
})

test('reading creates, revives and changes nothing', async () => {
  await said('send:bot-a', 'read-only')
  await said('send:bot-a', 'gone')
  await call('send:bot-a', 'DELETE', '/api/v1/sessions/gone')
  const snapshot = async () =>
    (await house.database.pool.query<object>('SELECT * FROM sessions ORDER BY session_key')).rows
  const before = await snapshot()
  const zone = 'timezone=Pacific/Kiritimati'
  const ways = [
    ...[`/api/v1/tasks?session_key=read-only&${zone}`, `/api/v1/tasks?session_key=gone&${zone}`, '/api/v1/tasks'],
    ...[`/api/v1/tasks?session_key=new&${zone}`, `/api/v1/tasks?launcher_id=somebody&${zone}`, '/api/ai/messages'],
    ...['/api/v1/sessions/read-only', '/api/v1/promises?session_key=new', '/api/v1/runs?session_key=new'],
  ]
  for (const way of ways) expect([way, (await call('read:bot-a', 'GET', way)).status]).toEqual([way, 200])
  expect(await snapshot()).toEqual(before)
})

test('a person with a long or odd id gets a session like everybody', async () => {
  for (const launcherId of ['漢'.repeat(255), `${'漢'.repeat(254)}字`, "!*'()~", 'a b/c']) {
    const address = { channel: 'telegram', launcher_id: launcherId, message: 'hello' }
    const first = await call('send:bot-a', 'POST', '/api/ai/chat', address)
    expect(first.status).toBe(200)
    const { session_key: name } = first.data as { session_key: string }
    expect((await said('send:bot-a', name)).data).toMatchObject({ session_key: name })
  }
  const ids = (await sessionsOf('bot-a')).map(({ launcherId: id }) => id)
  expect(ids.filter((id) => id.startsWith('漢'))).toHaveLength(2)
})

test('a stream opened before the first word hears it, and makes no session', async () => {
  await said('send:bot-b', 'early')
  const before = await sessionsOf('bot-a')
  const client = new SseClient(`${base}/api/v1/sessions/early/events`, { 'x-api-key': keys['read:bot-a']! })
  await until(() => house.bus.watchers('early') === 1)
  expect(await sessionsOf('bot-a')).toEqual(before)
  await house.addSession('early', 'bot-a')
  await house.addEvents('early', 3)
  expect(client.ids).toEqual([])
  await house.addEvents('bot-a/early', 2)
  await until(() => client.ids.length === 2)
  expect(client.ids).toEqual([1, 2])
  await client.leave()
  await until(() => house.bus.watchers('early') === 0)
})
