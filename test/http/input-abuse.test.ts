import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let key: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  key = (await house.addKey('admin')).key
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

const post = (payload: string, contentType = 'application/json') =>
  app.inject({
    method: 'POST',
    url: '/api/ai/chat',
    headers: { 'x-api-key': key, 'content-type': contentType },
    payload,
  })
const codeOf = (answer: Awaited<ReturnType<typeof post>>) => answer.json<{ error: { code: string } }>().error.code

test.each([
  ['NUL', '{"message":"a\\u0000b"}'],
  ['half a surrogate pair', '{"message":"a\\ud83d"}'],
  ['the other half', '{"message":"\\ude00b"}'],
  ['NUL in a name', '{"message":"a","x\\u0000":1}'],
  ['NUL deep inside', '{"message":"a","extra":[{"b":["\\u0000"]}]}'],
])('refuses %s', async (_name, payload) => {
  const answer = await post(payload)
  expect([answer.statusCode, codeOf(answer)]).toEqual([422, 'bad_text'])
})

test('refuses NUL in an address', async () => {
  const headers = { 'x-api-key': key }
  expect((await app.inject({ url: '/api/v1/sessions/a%00b/events', headers })).statusCode).toBe(422)
  expect((await app.inject({ url: '/api/v1/sessions?bot_uuid=%00', headers })).statusCode).toBe(422)
})

test.each(['👩‍👩‍👧‍👦', '\u202Eabc', '𠮷野家', 'e\u0301', '😀'.repeat(1_000)])(
  'gives text back as it came: %s',
  async (message) => {
    const answer = await post(JSON.stringify({ message, session_key: 's', launcher_id: 'me' }))
    expect(answer.json<{ data: { content: string } }>().data.content).toBe(`me: ${message}`)
  },
)

test.each([
  '{"message":"a","__proto__":{"admin":true}}',
  '{"message":"a","constructor":{"prototype":{"admin":true}}}',
  '{"message":"a","deep":{"__proto__":{"admin":true}}}',
  '{"message":"a","\\u005f_proto__":{"admin":true}}',
  '{"message":',
  '',
  'null',
])('refuses poisoned or broken JSON and answers in the envelope: %s', async (payload) => {
  const answer = await post(payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 400, data: null, error: { code: expect.any(String) as string } })
  expect(Object.prototype).not.toHaveProperty('admin')
})

test('a body over 256 KB is refused before it is read whole', async () => {
  const answer = await post(JSON.stringify({ message: 'x'.repeat(300_000) }))
  expect([answer.statusCode, codeOf(answer)]).toEqual([413, 'body_too_large'])
})

test('nesting ten thousand deep is refused quickly', async () => {
  const deep = `{"message":"a","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const began = performance.now()
  const answer = await post(deep)
  expect([answer.statusCode, codeOf(answer)]).toEqual([422, 'too_deep'])
  expect(performance.now() - began).toBeLessThan(200)
})

test('a body that is not JSON is refused', async () => {
  const answer = await post('message=hi', 'application/x-www-form-urlencoded')
  expect([answer.statusCode, codeOf(answer)]).toEqual([415, 'unsupported_media_type'])
})

test.each(['/api/nothing', '/nothing', '/api/v1/sessions/', '/%ZZ', '/api/ai/chat?x=%'])(
  'an address that is not there is answered in the envelope: %s',
  async (url) => {
    const answer = await app.inject({ url })
    expect([400, 401, 404, 405]).toContain(answer.statusCode)
    expect(answer.json()).toMatchObject({ code: answer.statusCode, data: null })
  },
)

test('our own faults are hidden behind the id of the request', async () => {
  const broken = await buildAppFixture({
    messages: { latest: () => Promise.reject(new Error('relation "secret" of 10.1.2.3')) },
  })
  await broken.addBot('bot-a')
  const admin = await broken.addKey('admin')
  const other = await buildApp(broken)
  const answer = await other.inject({ url: '/api/ai/messages', headers: { 'x-api-key': admin.key } })
  await other.close()
  await broken.close()
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toContain('secret')
  const id = String(answer.headers['x-request-id'])
  expect(answer.json()).toEqual({
    code: 500,
    message: `something went wrong on our side (request ${id})`,
    data: null,
    error: { code: 'internal_error' },
  })
})
