import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

interface KeyView {
  id: string
  key?: string
  last_four: string
  revoked_at: string | null
  last_used_at: string | null
}

let house: AppFixture
let app: FastifyInstance
let admin: string
let adminOfA: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  await house.addBot('bot-b')
  admin = (await house.addKey('admin')).key
  adminOfA = (await house.addKey('admin', 'bot-a')).key
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

type Method = 'GET' | 'POST' | 'DELETE'
async function ask(key: string, method: Method, url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers: { 'x-api-key': key }, ...(payload && { payload }) })
  const body = answer.json<{ data: unknown; error?: { code: string } }>()
  return { status: answer.statusCode, data: body.data, error: body.error?.code, text: answer.body }
}
const createKey = async (key: string, payload: object) => {
  const answer = await ask(key, 'POST', '/api/v1/api-keys', payload)
  return { ...answer, data: answer.data as KeyView & { key: string } }
}

test('a key is shown once, works, and can be revoked', async () => {
  const { status, data } = await createKey(admin, { name: 'n8n', scopes: ['read'], bot_uuids: ['bot-a'] })
  expect(status).toBe(201)
  expect(data.key).toMatch(/^lbk_[0-9A-Za-z]{36}$/)
  expect(data.last_four).toBe(data.key.slice(-4))
  expect((await ask(data.key, 'GET', '/api/v1/bots')).data).toMatchObject({
    bots: [{ uuid: 'bot-a', name: 'bot-a', pipeline_uuid: 'assistant' }],
  })
  const list = await ask(admin, 'GET', '/api/v1/api-keys')
  expect(list.text).not.toContain(data.key)
  const revoked = (await ask(admin, 'DELETE', `/api/v1/api-keys/${data.id}`)).data as KeyView
  expect(revoked.revoked_at).not.toBeNull()
  expect((await ask(data.key, 'GET', '/api/v1/bots')).status).toBe(401)
  const again = (await ask(admin, 'DELETE', `/api/v1/api-keys/${data.id}`)).data as KeyView
  expect(again.revoked_at).toBe(revoked.revoked_at)
})

const TIMERS = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
]

test.each([2, -2])(
  'a key is made, used and revoked by the clock of PostgreSQL, though ours is %i hours wrong',
  async (hours) => {
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: [...TIMERS] })
    try {
      const { data } = await createKey(admin, { name: 'clock', scopes: ['read'], bot_uuids: ['bot-a'] })
      expect((await ask(data.key, 'GET', '/api/v1/bots')).status).toBe(200)
      expect((await ask(admin, 'DELETE', `/api/v1/api-keys/${data.id}`)).status).toBe(200)
      const { rows } = await house.database.pool.query(
        `SELECT abs(extract(epoch FROM now() - created_at)) < 600 AS made, abs(extract(epoch FROM now() - last_used_at)) < 600 AS used,
         abs(extract(epoch FROM now() - revoked_at)) < 600 AS revoked
       FROM api_keys WHERE id = $1`,
        [data.id],
      )
      expect(rows).toEqual([{ made: true, used: true, revoked: true }])
    } finally {
      jest.useRealTimers()
    }
  },
)

test('keys are kept as hashes only', async () => {
  const { data } = await createKey(admin, { name: 'secret', scopes: ['send'] })
  const { rows } = await house.database.pool.query<{ row: string }>('SELECT k::text AS row FROM api_keys k')
  expect(rows.length).toBeGreaterThan(2)
  for (const { row } of rows) for (const key of [data.key, admin, adminOfA]) expect(row).not.toContain(key.slice(4, 34))
})

test('an administrator of one bot manages that bot alone', async () => {
  const ofB = (await createKey(admin, { name: 'b', scopes: ['read'], bot_uuids: ['bot-b'] })).data
  const ofAll = (await createKey(admin, { name: 'all', scopes: ['read'] })).data
  const ofBoth = (await createKey(admin, { name: 'ab', scopes: ['read'], bot_uuids: ['bot-a', 'bot-b'] })).data
  const mine = await createKey(adminOfA, { name: 'a', scopes: ['send'], bot_uuids: ['bot-a'] })
  expect(mine.status).toBe(201)
  expect((await createKey(adminOfA, { name: 'b', scopes: ['read'], bot_uuids: ['bot-b'] })).error).toBe('not_found')
  expect((await createKey(adminOfA, { name: 'all', scopes: ['read'] })).error).toBe('all_bots_required')
  expect((await ask(adminOfA, 'POST', '/api/v1/bots', { name: 'new' })).error).toBe('all_bots_required')
  const { text } = await ask(adminOfA, 'GET', '/api/v1/api-keys')
  expect(text).toContain(mine.data.id)
  for (const { id } of [ofB, ofAll, ofBoth]) {
    expect(text).not.toContain(id)
    expect((await ask(adminOfA, 'DELETE', `/api/v1/api-keys/${id}`)).status).toBe(404)
  }
})

test.each([
  { name: 'x', scopes: [] },
  { name: 'x', scopes: ['root'] },
  { name: '', scopes: ['read'] },
  { name: 'x'.repeat(201), scopes: ['read'] },
  { scopes: ['read'] },
])('refuses a key that makes no sense: %j', async (payload) => {
  expect(await createKey(admin, payload)).toMatchObject({ status: 400, error: 'validation_failed' })
})

test('a key for a bot that is not there is refused', async () => {
  expect((await createKey(admin, { name: 'x', scopes: ['read'], bot_uuids: ['nobody'] })).status).toBe(404)
})

test('an id that is none is refused, one that is unknown is not found', async () => {
  expect((await ask(admin, 'DELETE', '/api/v1/api-keys/1')).status).toBe(400)
  expect((await ask(admin, 'DELETE', '/api/v1/api-keys/0190a000-0000-7000-8000-00000000ffff')).status).toBe(404)
})

test('the last use is noted at most once a minute', async () => {
  const { data } = await createKey(admin, { name: 'used', scopes: ['read'] })
  const touch = jest.spyOn(house.database.prisma.apiKey, 'updateMany')
  const began = Date.now()
  while (Date.now() - began < 2_500) await ask(data.key, 'GET', '/api/v1/bots')
  expect(touch).toHaveBeenCalledTimes(1)
  touch.mockRestore()
  const { data: list } = await ask(admin, 'GET', '/api/v1/api-keys')
  const shown = (list as { api_keys: KeyView[] }).api_keys.find(({ id }) => id === data.id)
  expect(Date.parse(shown?.last_used_at ?? '')).toBeGreaterThanOrEqual(began - 1_000)
})

test('bots are made with a name and keep their uuid to themselves', async () => {
  const made = await ask(admin, 'POST', '/api/v1/bots', { name: '小助手', pipeline_uuid: 'tasks' })
  expect(made.data).toMatchObject({ name: '小助手', pipeline_uuid: 'tasks' })
  const answers = await Promise.all(
    [1, 2, 3].map(() => ask(admin, 'POST', '/api/v1/bots', { name: 'same', uuid: 'bot-c' })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})
