import { createHmac } from 'node:crypto'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { generateApiKey } from '../../src/access/api-key'
import { guardRoutes } from '../../src/http/auth'
import { listOperations } from './openapi'
import type { Operation } from './openapi'
import { buildApp, buildAppFixture, SECRET } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let operations: Operation[]
let userId: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  await house.addBot('bot-b')
  await house.addSession('of-b', 'bot-b')
  userId = await house.addUser('mia', 'a long password')
  // Not loopback, so that /metrics is guarded too.
  app = await buildApp(house, { host: '0.0.0.0' })
  operations = await listOperations(app)
})

afterAll(async () => {
  await app.close()
  await house.close()
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
function makeToken(claims: object, header: object = { alg: 'HS256', typ: 'JWT' }, secret = SECRET): string {
  const now = Math.floor(Date.now() / 1_000)
  const all = { sub: userId, iss: 'punctual', aud: 'punctual-api', iat: now, exp: now + 600, ...claims }
  const text = `${part(header)}.${part(all)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const unsigned = () => makeToken({}, { alg: 'none' }).replace(/[^.]*$/, '')
const past = () => Math.floor(Date.now() / 1_000) - 10

/** A body that every route would take, so that only the caller can be what is wrong. */
const BODY = {
  ...{ message: 'hi', session_key: 'of-b', name: 'x', scopes: ['read'], bot_uuids: ['bot-b'] },
  ...{
    bot_uuid: 'bot-b',
    target_type: 'person',
    target_id: 'someone',
    launcher_type: 'person',
    launcher_id: 'someone',
  },
  ...{ send_at: 'in 20 minutes', message_text: 'hi', plan: { steps: [{ aiName: 'local__any' }] } },
  ...{ title: 'x', dueDate: '明天', enabled: false },
  ...{ model: 'assistant', messages: [{ role: 'user', content: 'hi' }] },
}

/** What a path names is always of bot B, or of nobody. */
const OF_B: Record<string, string> = { key: 'of-b', uuid: 'bot-b', channel: 'telegram' }
/** Where other fields are refused, or a DELETE takes a body. */
const BODIES: Record<string, object> = {
  'PATCH /api/v1/sessions/{key}': { pushes_enabled: false },
  'DELETE /api/v1/messages/history/delete': BODY,
}
const NOBODY = '0190a000-0000-7000-8000-000000000009'

async function knock({ method, path: pattern }: Operation, headers: Record<string, string>) {
  const url = pattern.replace(/\{(\w+)\}/g, (_match, name: string) => OF_B[name] ?? NOBODY)
  const payload = BODIES[`${method} ${pattern}`] ?? (method.startsWith('P') ? BODY : undefined)
  return app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const refusals: [string, () => Record<string, string>][] = [
  ['no key', () => ({})],
  ['an empty key', () => ({ 'x-api-key': '' })],
  ['garbage', () => ({ 'x-api-key': 'open sesame' })],
  ['garbage as bearer', () => bearer('open-sesame')],
  ['another scheme', () => ({ authorization: 'Basic bWlhOmE=' })],
  ['a bad checksum', () => ({ 'x-api-key': `lbk_${'a'.repeat(36)}` })],
  ['a key nobody issued', () => bearer(generateApiKey())],
  ['a key that looks like a token', () => bearer(`lbk_${makeToken({})}`)],
  ['an expired token', () => bearer(makeToken({ exp: past() }))],
  ['a token that never expires', () => bearer(makeToken({ exp: undefined }))],
  ['a token not valid yet', () => bearer(makeToken({ nbf: Math.floor(Date.now() / 1_000) + 500 }))],
  ['a token of another issuer', () => bearer(makeToken({ iss: 'someone' }))],
  ['a token for another audience', () => bearer(makeToken({ aud: 'someone' }))],
  ['a token of nobody', () => bearer(makeToken({ sub: '0190a000-0000-7000-8000-00000000ffff' }))],
  ['a token without a person', () => bearer(makeToken({ sub: undefined }))],
  ['a token whose person is no id', () => bearer(makeToken({ sub: 'robert' }))],
  ['alg none', () => bearer(unsigned())],
  ['alg none with a signature', () => bearer(makeToken({}, { alg: 'none' }))],
  ['alg RS256 signed with the secret', () => bearer(makeToken({}, { alg: 'RS256' }))],
  ['a kid that is a path', () => bearer(makeToken({}, { alg: 'HS256', kid: '../../dev/null' }, ''))],
  ['a token signed with another secret', () => bearer(makeToken({}, undefined, 'x'.repeat(40)))],
]

test.each(refusals)('every guarded route answers 401 to %s', async (_name, headers) => {
  const guarded = operations.filter((operation) => operation.guarded)
  expect(guarded.length).toBeGreaterThanOrEqual(9)
  for (const operation of guarded) {
    const answer = await knock(operation, headers())
    expect([operation.method, operation.path, answer.statusCode]).toEqual([operation.method, operation.path, 401])
    expect(answer.json()).toMatchObject({ code: 401, data: null, error: { code: 'unauthorized' } })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  }
})

test('every guarded route answers 401 to a key that was revoked', async () => {
  const { key, id } = await house.addKey('admin')
  expect((await app.inject({ url: '/api/v1/bots', headers: { 'x-api-key': key } })).statusCode).toBe(200)
  await app.inject({ method: 'DELETE', url: `/api/v1/api-keys/${id}`, headers: bearer(makeToken({})) })
  for (const operation of operations.filter(({ guarded }) => guarded)) {
    expect((await knock(operation, { 'x-api-key': key })).statusCode).toBe(401)
  }
})

test('every route answers 403 to a key without its scope', async () => {
  const weaker = { send: await house.addKey('read', 'bot-b'), admin: await house.addKey('send', 'bot-b') }
  const scoped = operations.filter(({ scope }) => scope === 'send' || scope === 'admin')
  expect(scoped.length).toBeGreaterThanOrEqual(5)
  for (const operation of scoped) {
    const { key } = operation.scope === 'send' ? weaker.send : weaker.admin
    const answer = await knock(operation, { 'x-api-key': key })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: { code: 'missing_scope' } })
  }
})

test("a key of one bot gets nothing of another's from any route", async () => {
  const { key } = await house.addKey('admin', 'bot-a')
  const named = operations.filter(({ path: pattern }) => pattern.includes('{'))
  expect(named.length).toBeGreaterThanOrEqual(2)
  // A session may be followed before it is there: that nothing of another bot's is heard then has a test of its own.
  const waits = '/api/v1/sessions/{key}/events'
  for (const operation of operations.filter(({ guarded, path: pattern }) => guarded && pattern !== waits)) {
    const answer = await knock(operation, { 'x-api-key': key })
    if (answer.statusCode < 300) expect(answer.body).not.toMatch(/bot-b|of-b/)
    else expect([operation.path, answer.statusCode]).toEqual([operation.path, answer.statusCode === 403 ? 403 : 404])
    // Pipelines belong to no bot: everyone sees them, only who sees all bots changes them.
    const expected = operation.path.startsWith('/api/v1/pipelines/') ? 403 : 404
    if (named.includes(operation)) expect(answer.statusCode).toBe(expected)
  }
})

test('two callers in one request are refused, the same one twice is not', async () => {
  const [one, other] = [await house.addKey('read'), await house.addKey('read')]
  const ask = (headers: Record<string, string>) => app.inject({ url: '/api/v1/bots', headers })
  const conflict = await ask({ 'x-api-key': one.key, ...bearer(other.key) })
  expect(conflict.statusCode).toBe(400)
  expect(conflict.json()).toMatchObject({ error: { code: 'conflicting_credentials' } })
  expect((await ask({ 'x-api-key': one.key, ...bearer(makeToken({})) })).statusCode).toBe(400)
  expect((await ask({ 'x-api-key': one.key, ...bearer(one.key) })).statusCode).toBe(200)
  expect((await ask(bearer(makeToken({})))).statusCode).toBe(200)
})

test('a bad checksum never reaches the database', async () => {
  const find = jest.spyOn(house.database.prisma.apiKey, 'findFirst')
  for (let attempt = 0; attempt < 500; attempt++) {
    const key = generateApiKey().replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    await expect(house.access.authenticate({ kind: 'api_key', key })).rejects.toMatchObject({ code: 'unauthorized' })
  }
  expect(find).not.toHaveBeenCalled()
  find.mockRestore()
})

test('only the routes meant to be open are open', () => {
  const open = operations.filter(({ guarded }) => !guarded).map(({ method, path: pattern }) => `${method} ${pattern}`)
  const platforms = 'POST /api/v1/channels/{channel}/{bot_uuid}'
  const links = 'GET /api/v1/artifacts/{id}/file'
  expect(open.sort()).toEqual([links, 'GET /healthz', 'GET /readyz', 'POST /api/v1/auth/login', platforms])
})

test('the door of the platforms is open to nobody who cannot sign', async () => {
  for (const channel of ['webhook', 'telegram', 'onebot']) {
    const url = `/api/v1/channels/${channel}/bot-b`
    const answer = await app.inject({ method: 'POST', url, payload: { launcher_id: 'x', text: 'hi' } })
    expect([channel, answer.statusCode]).toEqual([channel, 401])
  }
})

test('a route without a rule keeps the app from starting', async () => {
  const bare = fastify()
  guardRoutes(bare, house.access)
  bare.get('/open', async () => 'hello')
  bare.get('/ruled', { config: { auth: 'public' } }, async () => 'hello')
  await expect(bare.ready()).rejects.toThrow('no auth rule for GET /open')
})
