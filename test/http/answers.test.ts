import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions } from 'fastify'
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

interface Refusal {
  code: number
  message: string
  error: { code: string; hint?: string; details?: { field: string; message: string }[] }
}

async function ask(options: InjectOptions) {
  const answer = await app.inject({ ...options, headers: { 'x-api-key': key, ...options.headers } })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, ...parse(answer.body) }
}

function parse(body: string): Partial<Refusal> {
  return body.startsWith('{') ? (JSON.parse(body) as Refusal) : {}
}

describe('what a wrong request is told', () => {
  it('names the values that a field may have', async () => {
    const { status, error } = await ask({ url: '/api/v1/messages/history?launcher_type=crowd' })
    expect(status).toBe(400)
    expect(error?.details).toEqual([{ field: 'launcher_type', message: 'must be one of: person, group' }])
  })

  it('names every missing field at once', async () => {
    const { status, error, message } = await ask({ method: 'POST', url: '/api/v1/messages/send', payload: {} })
    expect(status).toBe(400)
    expect(error?.details?.map(({ field }) => field).sort()).toEqual([
      'bot_uuid',
      'message',
      'target_id',
      'target_type',
    ])
    for (const field of ['bot_uuid', 'target_type', 'target_id', 'message']) expect(message).toContain(field)
  })

  it('says what a body may be where there are two ways', async () => {
    const { status, message } = await ask({ method: 'POST', url: '/api/v1/auth/login', payload: {} })
    expect(status).toBe(400)
    expect(message).toBe('body: must have username and password, or token')
  })

  it('says that there is no body', async () => {
    const { status, message, error } = await ask({ method: 'POST', url: '/api/ai/chat' })
    expect(status).toBe(400)
    expect(message).toBe('body: a JSON object is missing')
    expect(error?.hint).toContain('application/json')
  })

  it('says that a body is no JSON', async () => {
    const plain = { 'content-type': 'text/plain' }
    const { status, error } = await ask({ method: 'POST', url: '/api/ai/chat', headers: plain, payload: 'hello' })
    expect([status, error?.code]).toEqual([415, 'unsupported_media_type'])
    expect(error?.hint).toContain('application/json')
  })

  it('names the limit of a body that is too large', async () => {
    const payload = { message: 'x'.repeat(300_000) }
    const { status, message } = await ask({ method: 'POST', url: '/api/ai/chat', payload })
    expect(status).toBe(413)
    expect(message).toContain('256 KB')
  })

  it('names the limit of the one route that takes more', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(4 * 1024 * 1024) }]
    const payload = { model: 'assistant', messages }
    const { status, error } = await ask({ method: 'POST', url: '/v1/chat/completions', payload })
    expect(status).toBe(413)
    expect(error).toMatchObject({ message: 'the body is over 4 MB' })
  })

  it('refuses a state that no promise has', async () => {
    const { status, error } = await ask({ url: '/api/v1/promises?state=maybe' })
    expect(status).toBe(400)
    expect(error?.details?.[0]).toMatchObject({ field: 'state', message: expect.stringContaining('pending') as string })
  })
})

describe('methods', () => {
  it.each(['/healthz', '/', '/api/v1/bots'])('answers HEAD like GET without a body: %s', async (url) => {
    const { status, body } = await ask({ method: 'HEAD', url })
    expect([status, body]).toEqual([200, ''])
  })

  it.each([
    ['DELETE', '/api/v1/bots', 'GET, HEAD, POST'],
    ['PUT', '/api/ai/chat', 'POST'],
    ['POST', '/api/v1/scheduled-messages/0190a000-0000-7000-8000-000000000001', 'DELETE, GET, HEAD, PATCH'],
    ['TRACE', '/api/v1/bots', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const)('%s %s is 405 and names what there is', async (method, url, allow) => {
    const { status, headers, error } = await ask({ method: method, url, payload: undefined })
    expect([status, headers.allow, error?.code]).toEqual([405, allow, 'method_not_allowed'])
  })

  it('an address that nobody knows is 404', async () => {
    const { status, error } = await ask({ method: 'POST', url: '/api/v1/nowhere' })
    expect([status, error?.code]).toEqual([404, 'route_not_found'])
  })
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('long answers are compressed by %s for whoever takes it; short ones are not', async (encoding, decompress) => {
  const headers = { 'x-api-key': key, 'accept-encoding': encoding }
  const long = await app.inject({ url: '/docs/json', headers })
  expect(long.headers['content-encoding']).toBe(encoding)
  expect(JSON.parse(decompress(long.rawPayload).toString())).toHaveProperty('openapi')
  const short = await app.inject({ url: '/healthz', headers })
  expect(short.headers['content-encoding']).toBeUndefined()
  expect(short.json()).toEqual({ status: 'ok' })
})
