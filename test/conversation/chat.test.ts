import type { FastifyInstance } from 'fastify'
import { conflict } from '../../src/errors'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'
import { readEvents } from '../support/sse-client'

let house: AppFixture
let app: FastifyInstance
let key: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  key = (await house.addKey('send', 'bot-a')).key
  app = await buildApp(house)
})

afterAll(async () => {
  await app.close()
  await house.close()
})

const say = (payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/ai/chat', headers: { 'x-api-key': key, ...headers }, payload })

test('answers in the envelope', async () => {
  const answer = await say({ message: 'good morning', session_key: 'chat-1', launcher_id: 'mia' })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    code: 0,
    message: 'success',
    data: {
      content: 'mia: good morning',
      type: 'text',
      payload: null,
      effects: [],
      session_key: 'chat-1',
      turn_id: expect.any(String) as string,
      tool_calls: [],
    },
  })
})

test('streams turn, text and at last the same answer when asked for events', async () => {
  const answer = await say({ message: 'one two', session_key: 'chat-2' }, { accept: 'text/event-stream' })
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  const events = readEvents(answer.body)
  expect(events.map(({ event }) => event)).toEqual(['turn', 'delta', 'delta', 'answer'])
  const plain = await say({ message: 'one two', session_key: 'chat-2' })
  expect(events.at(-1)?.data).toEqual(plain.json<{ data: object }>().data)
})

test('a turn that fails ends the stream with the error in the envelope', async () => {
  house.door.chat = { send: () => Promise.reject(conflict('turn_lost', 'the turn was lost')) }
  const broken = await buildApp(house)
  const answer = await broken.inject({
    method: 'POST',
    url: '/api/ai/chat',
    headers: { 'x-api-key': key, accept: 'text/event-stream' },
    payload: { message: 'hello' },
  })
  await broken.close()
  expect(readEvents(answer.body)).toEqual([
    { event: 'error', data: { code: 409, message: 'the turn was lost', data: null, error: { code: 'turn_lost' } } },
  ])
})

test.each([
  [{}, 'message'],
  [{ message: 5 }, 'message'],
  [{ message: ' \n ' }, 'message'],
  [{ message: 'x'.repeat(20_001) }, 'message'],
  [{ message: 'hi', launcher_type: 'robot' }, 'launcher_type'],
])('names the field that is wrong: %#', async (payload, field) => {
  const answer = await say(payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({
    code: 400,
    data: null,
    error: { code: 'validation_failed', details: [{ field }] },
  })
})

test('a session of another bot does not exist for this key: it gets one of its own', async () => {
  await house.addBot('bot-b')
  await house.addSession('of-b', 'bot-b')
  const answer = await say({ message: 'hello', session_key: 'of-b' })
  expect(answer.json()).toMatchObject({ data: { session_key: 'of-b' } })
  const { rows } = await house.database.pool.query<{ n: number }>(
    `SELECT count(*) AS n FROM sessions WHERE session_key LIKE '%of-b'`,
  )
  expect(rows).toEqual([{ n: 2 }])
})

test('messages are shown in the order they were said, the newest of them', async () => {
  await house.addSession('talk', 'bot-a')
  await house.database.pool.query(
    `INSERT INTO message_history (bot_uuid, launcher_type, launcher_id, sender_id, message_role, message_content,
       message_chain, session_key, source_kind)
     SELECT 'bot-a', 'person', 'someone', 'someone', 'user', 'said ' || g, '[]', 'talk', 'chat'
     FROM generate_series(1, 5) g`,
  )
  const read = (query: string) =>
    app.inject({ url: `/api/ai/messages?session_key=talk&${query}`, headers: { 'x-api-key': key } })
  const said = async (query: string) =>
    (await read(query)).json<{ data: { messages: { id: number; content: string }[] } }>().data.messages
  const newest = await said('limit=2')
  expect(newest.map(({ content }) => content)).toEqual(['said 4', 'said 5'])
  const before = await said(`limit=2&before_id=${newest[0]?.id}`)
  expect(before.map(({ content }) => content)).toEqual(['said 2', 'said 3'])
  expect(await said('limit=100000')).toHaveLength(5)
  expect((await read('limit=1.5')).statusCode).toBe(400)
  expect((await read('before_id=99999999999')).statusCode).toBe(400)
})
