import type { FastifyInstance } from 'fastify'
import { forStrangers } from '../../src/channels/for-strangers'
import type { PlatformAccount } from '../../src/channels/platform'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
})
afterAll(() => house.close())
beforeEach(async () => {
  app = await buildApp(house)
})
afterEach(() => app.close())

const PROOF = { webhook: 'webhook-signature', telegram: 'x-telegram-bot-api-secret-token', onebot: 'x-signature' }
type Platform = keyof typeof PROOF

function post(channel: Platform, { bytes = 2, proof = true, remoteAddress = '203.0.113.1' } = {}) {
  const headers = { 'content-type': 'application/json', ...(proof && { [PROOF[channel]]: 'wrong' }) }
  const payload = JSON.stringify('x'.repeat(bytes - 2))
  return app.inject({ method: 'POST', url: `/api/v1/channels/${channel}/bot-a`, headers, payload, remoteAddress })
}

test.each([
  ['telegram', 128 * 1_024],
  ['onebot', 128 * 1_024],
  ['webhook', 256 * 1_024],
] as const)('no more of a body of %s is taken than %d bytes', async (channel, most) => {
  expect((await post(channel, { bytes: most })).statusCode).toBe(401)
  const answer = await post(channel, { bytes: most + 1 })
  expect(answer.statusCode).toBe(413)
  expect(answer.json()).toMatchObject({ error: { code: 'body_too_large' } })
})

test.each(['webhook', 'telegram', 'onebot'] as const)(
  'who shows no proof on %s is refused before the body is read',
  async (channel) => {
    expect((await post(channel, { proof: false, bytes: 1_024 * 1_024 })).statusCode).toBe(401)
  },
)

test('an address that is refused again and again has to wait, and the others do not', async () => {
  for (let count = 0; count < 60; count++) expect((await post('webhook')).statusCode).toBe(401)
  const answer = await post('telegram')
  expect(answer.statusCode).toBe(429)
  expect(answer.json()).toMatchObject({ error: { code: 'too_many_refusals' } })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await post('webhook', { remoteAddress: '203.0.113.2' })).statusCode).toBe(401)
})

test('a bot that is not on a platform is looked up once in a while, one that is there each time', async () => {
  const asked: string[] = []
  const there = { botUuid: 'there' } as PlatformAccount
  const accounts = forStrangers({
    async find(botUuid) {
      asked.push(botUuid)
      return botUuid === 'there' ? there : null
    },
  })
  for (let count = 0; count < 5; count++) {
    expect(await accounts.find('absent', 'webhook')).toBeNull()
    expect(await accounts.find('there', 'webhook')).toBe(there)
  }
  expect(asked.filter((name) => name === 'absent')).toHaveLength(1)
  expect(asked.filter((name) => name === 'there')).toHaveLength(5)
})

test('however many ask whether the server is ready, PostgreSQL and Temporal are asked once', async () => {
  let asked = 0
  const count = async () => void (asked += 1)
  house.door.health = { postgres: count, temporal: count }
  await app.close()
  app = await buildApp(house)
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')))
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
  expect(asked).toBe(2)
})
