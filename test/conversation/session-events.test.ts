import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { listen, SseClient, until } from '../support/sse-client'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let base: string
let key: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  await house.addBot('bot-b')
  key = (await house.addKey('read', 'bot-a')).key
  app = await buildApp(house)
  base = await listen(app)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

const urlOf = (session: string, query = '') => `${base}/api/v1/sessions/${encodeURIComponent(session)}/events${query}`
const follow = (session: string, query = '', headers: Record<string, string> = {}) =>
  new SseClient(urlOf(session, query), { 'x-api-key': key, ...headers })
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A session with that many events. */
async function open(name: string, count: number): Promise<string> {
  await house.addSession(name, 'bot-a')
  if (count > 0) await house.addEvents(name, count)
  return name
}

test('begins at the present and shows what comes, in order', async () => {
  const session = await open('web:bot-a:person:x%2Fy', 3)
  const client = follow(session)
  await until(() => house.bus.watchers(session) === 1)
  await house.addEvents(session, 2, 'turn')
  await until(() => client.ids.length === 2)
  expect(client.events).toEqual([
    { event: 'turn', id: 4, data: { text: 'hello' } },
    { event: 'turn', id: 5, data: { text: 'hello' } },
  ])
  await client.leave()
  await until(() => house.bus.watchers(session) === 0)
})

test('from=start replays everything in pages', async () => {
  const session = await open('paged', 950)
  const client = follow(session, '?from=start')
  await until(() => client.ids.length >= 950)
  expect(client.ids).toEqual(ids(1, 950))
  await client.leave()
})

test('resumes after the last id seen, by header or by address', async () => {
  const session = await open('resumed', 10)
  const byHeader = follow(session, '', { 'last-event-id': '7' })
  const byAddress = follow(session, '?last_event_id=9')
  await until(() => byHeader.ids.length === 3 && byAddress.ids.length === 1)
  expect([byHeader.ids, byAddress.ids]).toEqual([[8, 9, 10], [10]])
  await Promise.all([byHeader.leave(), byAddress.leave()])
})

test('a client cut off again and again misses nothing and sees nothing twice', async () => {
  const session = await open('cut', 0)
  const seen: number[] = []
  const writing = (async () => {
    for (let round = 0; round < 100; round++) {
      await house.addEvents(session, 5)
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
  })()
  for (let cut = 0; seen.length < 500 && cut < 500; cut++) {
    const client = follow(session, seen.length === 0 ? '?from=start' : '', lastId(seen))
    await until(() => client.ids.length > 0)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
    await client.leave()
    seen.push(...client.ids)
  }
  await writing
  expect(seen).toEqual(ids(1, 500))
})

const lastId = (seen: number[]): Record<string, string> =>
  seen.length === 0 ? {} : { 'last-event-id': String(seen.at(-1)) }

test.each([
  ['older than what is kept', '3'],
  ['beyond the end', '5000'],
])('an id %s gives one resync and then the present', async (name, lastEventId) => {
  const session = await open(`resync ${name}`, 20)
  await house.database.pool.query('DELETE FROM session_events WHERE session_key = $1 AND seq <= 10', [session])
  const client = follow(session, '', { 'last-event-id': lastEventId })
  await until(() => client.ids.length === 1)
  await house.addEvents(session, 1)
  await until(() => client.ids.length === 2)
  expect(client.events).toEqual([
    { event: 'resync', id: 20, data: { last_event_id: 20 } },
    { event: 'message', id: 21, data: { text: 'hello' } },
  ])
  await client.leave()
})

test('the oldest id from which nothing is missing needs no resync', async () => {
  const session = await open('edge', 20)
  await house.database.pool.query('DELETE FROM session_events WHERE session_key = $1 AND seq <= 10', [session])
  const client = follow(session, '', { 'last-event-id': '10' })
  await until(() => client.ids.length === 10)
  expect(client.ids).toEqual(ids(11, 20))
  await client.leave()
  await house.database.pool.query('DELETE FROM session_events WHERE session_key = $1', [session])
  const late = follow(session, '', { 'last-event-id': '15' })
  await until(() => late.events.length === 1)
  expect(late.events[0]?.event).toBe('resync')
  await late.leave()
})

test('text as it is written comes without an id', async () => {
  const session = await open('typed', 1)
  const client = follow(session)
  await until(() => house.bus.watchers(session) === 1)
  await until(() => {
    house.bus.publishDelta(session, { turn_id: 't', text: '你' })
    return client.events.length > 0
  })
  expect(client.events[0]).toEqual({ event: 'delta', data: { turn_id: 't', text: '你' } })
  await client.leave()
})

test('a session of another bot is as good as absent: nothing of it is heard; an id that is none is refused', async () => {
  await house.addSession('foreign', 'bot-b')
  await house.addEvents('foreign', 5)
  const headers = { 'x-api-key': key }
  const client = follow('foreign', '?from=start')
  await until(() => house.bus.watchers('foreign') === 1)
  await house.addEvents('foreign', 5)
  const answer = await fetch(urlOf('web:bot-b:person:x', '?from=start'), { headers })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
  expect(client.events).toEqual([])
  await client.leave()
  const session = await open('strict', 1)
  expect((await fetch(urlOf(session, '?last_event_id=abc'), { headers })).status).toBe(400)
})

test('ends within five seconds after its key was revoked', async () => {
  const session = await open('revoked', 1)
  const { key: doomed, id } = await house.addKey('read', 'bot-a')
  const client = new SseClient(urlOf(session, '?from=start'), { 'x-api-key': doomed })
  await until(() => client.ids.length === 1)
  // By another front door: this one's memory of the key is not touched.
  await house.database.prisma.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  const began = performance.now()
  await client.ended
  expect(performance.now() - began).toBeLessThan(5_000)
  expect((await fetch(urlOf(session), { headers: { 'x-api-key': doomed } })).status).toBe(401)
})

test('ends when its token ends', async () => {
  const session = await open('token', 1)
  const sub = await house.addUser('short', 'password')
  const token = app.jwt.sign({ sub }, { expiresIn: 2 })
  const client = new SseClient(urlOf(session, '?from=start'), { authorization: `Bearer ${token}` })
  await until(() => client.ids.length === 1)
  await client.ended
  expect(client.status).toBe(200)
})

test('drops a client that does not read', async () => {
  const session = await open('stalled', 0)
  // 60 MB: more than the kernel's buffers on both sides take.
  await house.database.pool.query(
    `INSERT INTO session_events (session_key, seq, name, data)
     SELECT $1, g, 'message', jsonb_build_object('text', repeat('x', 200000)) FROM generate_series(1, 300) g`,
    [session],
  )
  await house.database.pool.query('UPDATE sessions SET event_seq = 300 WHERE session_key = $1', [session])
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET /api/v1/sessions/stalled/events?from=start HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
  await until(() => house.bus.watchers(session) === 1)
  await until(() => house.bus.watchers(session) === 0, 20_000)
  socket.destroy()
})

test('closing the app ends the streams', async () => {
  const other = await buildApp(house)
  const otherBase = await listen(other)
  const session = await open('closing', 1)
  const client = new SseClient(`${otherBase}/api/v1/sessions/${session}/events?from=start`, { 'x-api-key': key })
  await until(() => client.ids.length === 1)
  const began = performance.now()
  await other.close()
  await client.ended
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('a quiet stream pings', async () => {
  const session = await open('quiet', 0)
  const answer = await fetch(urlOf(session), { headers: { 'x-api-key': key } })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes(': ping')) text += (await reader.read()).value ?? ''
  await reader.cancel()
})
