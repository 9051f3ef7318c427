import type { FastifyInstance } from 'fastify'
import { createDatabase } from '../../src/engine/database'
import { startFaultProxy } from '../../gate/rig/fault-proxy'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

test('with PostgreSQL away every route says so, and when to come back', async () => {
  const { key } = await house.addKey('send', 'bot-a')
  const headers = { 'x-api-key': key }
  const { hostname, port } = new URL(house.databaseUrl)
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) })
  const away = createDatabase(proxy.through(house.databaseUrl), 2)
  proxy.refuse()
  // The house's own pool goes through the broken way from here on.
  const { pool } = house.database
  const own = Object.getOwnPropertyDescriptors({ query: pool.query.bind(pool), connect: pool.connect.bind(pool) })
  Object.assign(pool, { query: away.pool.query.bind(away.pool), connect: away.pool.connect.bind(away.pool) })
  const asked = [
    { method: 'GET' as const, url: '/api/v1/sessions' },
    { method: 'GET' as const, url: '/api/v1/promises' },
    { method: 'GET' as const, url: '/api/ai/messages?session_key=s' },
    { method: 'POST' as const, url: '/api/ai/chat', payload: { message: 'hello' } },
    {
      method: 'POST' as const,
      url: '/api/v1/scheduled-messages',
      payload: { send_at: 'in 2 hours', message_text: 'hi', session_key: 's' },
    },
  ]
  for (const request of asked) {
    const answer = await app.inject({ ...request, headers })
    expect([request.url, answer.statusCode]).toEqual([request.url, 503])
    expect(answer.json()).toMatchObject({ code: 503, error: { code: 'storage_unavailable' } })
    expect(answer.headers['retry-after']).toBe('5')
  }
  Object.defineProperties(pool, own)
  await away.close()
  await proxy.close()
})
