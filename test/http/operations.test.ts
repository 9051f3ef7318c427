import { Writable } from 'node:stream'
import Ajv2020 from 'ajv/dist/2020'
import pino from 'pino'
import { listOperations, readDocument } from './openapi'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
})
afterAll(() => house.close())

test('is alive whatever happens, and ready when PostgreSQL and Temporal answer', async () => {
  house.door.health = { postgres: async () => undefined, temporal: async () => undefined }
  const app = await buildApp(house)
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 'ready', postgres: 'ok', temporal: 'ok' })
  house.door.health.temporal = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3'))
  await app.close()
})

test('says which part is missing, and nothing more', async () => {
  house.door.health = {
    postgres: async () => undefined,
    temporal: () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3')),
  }
  const app = await buildApp(house)
  const answer = await app.inject('/readyz')
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({ status: 'unavailable', postgres: 'ok', temporal: 'down' })
  expect(answer.body).not.toContain('10.1.2.3')
  await app.close()
})

test('figures are open on loopback and need a reader elsewhere', async () => {
  const local = await buildApp(house)
  await local.inject('/healthz')
  const open = await local.inject('/metrics')
  expect(open.headers['content-type']).toContain('text/plain')
  expect(open.body).toContain('http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}')
  expect(open.body).toContain('process_cpu_seconds_total')
  await local.close()
  const world = await buildApp(house, { host: '0.0.0.0' })
  expect((await world.inject('/metrics')).statusCode).toBe(401)
  const { key } = await house.addKey('read')
  expect((await world.inject({ url: '/metrics', headers: { 'x-api-key': key } })).statusCode).toBe(200)
  await world.close()
})

test('the OpenAPI document is 3.1 and whole', async () => {
  const app = await buildApp(house)
  const document = await readDocument(app)
  const operations = await listOperations(app)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer', 'apiKey'])
  const names = operations.map(({ operation }) => operation.operationId)
  expect(names).not.toContain(undefined)
  expect(new Set(names).size).toBe(names.length)
  for (const { path, guarded, operation } of operations) {
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    for (const scheme of (operation.security ?? []).flatMap(Object.keys)) {
      expect(document.components.securitySchemes).toHaveProperty(scheme)
    }
    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(expect.arrayContaining(guarded ? ['400', '401', '403', '500'] : ['500']))
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
    for (const response of Object.values(operation.responses)) expect(response.description).toBeTruthy()
  }
  await app.close()
})

test('every schema of the document is valid JSON Schema 2020-12 and every reference leads somewhere', async () => {
  const app = await buildApp(house)
  const document = await readDocument(app)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'doc', components: document.components })
  const schemas: object[] = []
  JSON.stringify(document.paths, (name, value: unknown) => {
    if (name === 'schema' && typeof value === 'object' && value !== null) schemas.push(value)
    return value
  })
  expect(schemas.length).toBeGreaterThan(20)
  for (const schema of schemas) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')
    expect(() => ajv.compile(JSON.parse(text) as object)).not.toThrow()
  }
  await app.close()
})

test('answers carry the usual protections, and the docs show without asking anyone else', async () => {
  const app = await buildApp(house)
  for (const url of ['/', '/docs', '/docs/static/swagger-ui.css']) {
    const answer = await app.inject(url)
    expect([url, answer.statusCode]).toEqual([url, 200])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toMatch(/default-src '(self|none)'/)
    expect(policy).not.toMatch(/upgrade-insecure-requests|validator\.swagger\.io/)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  }
  await app.close()
})

test('other origins are let in only when they are configured', async () => {
  const app = await buildApp(house, { corsOrigins: ['https://app.example'] })
  const preflight = (origin: string) =>
    app.inject({
      method: 'OPTIONS',
      url: '/api/ai/chat',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    })
  const known = await preflight('https://app.example')
  expect([known.statusCode, known.headers['access-control-allow-origin']]).toEqual([204, 'https://app.example'])
  expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined()
  await app.close()
})

test('neither keys nor tokens nor texts reach the log, not even when something breaks', async () => {
  const lines: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) })
  const canary = 'canary-7f3a'
  const broken = { ...house, door: { ...house.door, chat: { send: () => Promise.reject(new Error(canary)) } } }
  const app = await buildApp(broken, { logger: pino({ level: 'trace' }, sink) })
  const { key } = await house.addKey('admin')
  const headers = { 'x-api-key': key }
  await app.inject({ method: 'POST', url: '/api/ai/chat', headers, payload: { message: canary } })
  await app.inject({ method: 'POST', url: '/api/v1/auth/login', payload: { username: canary, password: canary } })
  await app.inject({ url: `/api/ai/messages?session_key=${canary}`, headers })
  await app.inject({ url: `/nothing/${canary}`, headers: { authorization: `Bearer ${canary}` } })
  await app.close()
  const log = lines.join('')
  expect(log).toContain('request failed')
  expect(log).toContain('"route":"/api/ai/chat"')
  expect(log).not.toContain(canary)
  expect(log).not.toContain(key)
})
