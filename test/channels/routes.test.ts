import type { FastifyInstance } from 'fastify'
import { createSecretBox } from '../../src/access/secret-box'
import { createBotPlatforms } from '../../src/channels/bot-platforms'
import { createPlatformAccounts } from '../../src/channels/platform-accounts'
import { createPlatforms } from '../../src/channels/platforms'
import { createClock } from '../../src/engine/clock'
import { createEgress } from '../../src/egress/egress'
import type { Egress } from '../../src/egress/egress'
import { createBotChannelStore } from '../../src/channels/bot-channel-store'
import { createBotStore } from '../../src/access/bot-store'
import { createMovedChatStore } from '../../src/channels/moved-chat-store'
import { createChannelLeaseStore } from '../../src/channels/channel-lease-store'
import { buildApp, buildAppFixture, SECRET } from '../support/app'
import type { AppFixture } from '../support/app'

const NO_FILES = { find: async () => null, linkTo: () => '' }

interface WebhookAnswer {
  url: string
  enabled: boolean
  disabled_reason: string | null
  secret: string | null
  previous_secret_until: string | null
}

let house: AppFixture
let app: FastifyInstance
let admin: string
let egress: Egress

beforeAll(async () => {
  house = await buildAppFixture()
  const { prisma } = house.database
  egress = createEgress({ trustedHosts: ['127.0.0.1:9999'] })
  const accounts = createPlatformAccounts({ store: createBotChannelStore(prisma), box: createSecretBox(SECRET) })
  const movedChats = createMovedChatStore(prisma)
  house.door.botPlatforms = createBotPlatforms({
    ...{ bots: createBotStore(prisma), accounts, movedChats },
    platforms: createPlatforms({ accounts, egress, files: NO_FILES, movedChats, clock: createClock(house.database) }),
    leases: createChannelLeaseStore(house.database),
  })
  await house.addBot('bot-a')
  await house.addBot('bot-b')
  admin = (await house.addKey('admin')).key
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await egress.close()
  await house.close()
})
beforeEach(() => house.database.pool.query('DELETE FROM bot_channels'))

type Method = 'GET' | 'PUT' | 'DELETE'
async function ask(method: Method, bot: string, payload?: object, key = admin) {
  const url = `/api/v1/bots/${bot}/channels/webhook`
  const answer = await app.inject({ method, url, headers: { 'x-api-key': key }, ...(payload && { payload }) })
  const body = answer.json<{ data: WebhookAnswer; message: string; error?: { code: string; hint?: string } }>()
  return { status: answer.statusCode, data: body.data, message: body.message, error: body.error, text: answer.body }
}
const HOOK = 'https://hooks.example.com/in'
const newSecret = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`

test('a secret is made and shown once, and never again', async () => {
  const set = await ask('PUT', 'bot-a', { url: HOOK })
  expect(set).toMatchObject({ status: 200, data: { bot_uuid: 'bot-a', url: HOOK, enabled: true } })
  expect(set.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const shown = await ask('GET', 'bot-a')
  expect(shown).toMatchObject({ status: 200, data: { url: HOOK, enabled: true, disabled_reason: null } })
  const moved = await ask('PUT', 'bot-a', { url: `${HOOK}/2` })
  expect(moved.data).toMatchObject({ url: `${HOOK}/2`, secret: null, previous_secret_until: null })
  const { rows } = await house.database.pool.query<object>('SELECT * FROM bot_channels')
  expect(shown.text + moved.text + JSON.stringify(rows)).not.toContain(set.data.secret?.slice(6))
})

test('a given secret is taken and not repeated; a new one leaves the old valid for a day', async () => {
  const [first, second] = [newSecret('a'), newSecret('b')]
  const set = await ask('PUT', 'bot-a', { url: HOOK, secret: first })
  expect(set).toMatchObject({ status: 200, data: { secret: null, previous_secret_until: null } })
  const rotated = await ask('PUT', 'bot-a', { url: HOOK, secret: second })
  const leftMs = Date.parse(rotated.data.previous_secret_until ?? '') - Date.now()
  expect(leftMs / 3_600_000).toBeCloseTo(24, 1)
  const again = await ask('PUT', 'bot-a', { url: HOOK, secret: second })
  expect(again.data.previous_secret_until).toBe(rotated.data.previous_secret_until)
  for (const secret of [first, second]) expect(set.text + rotated.text + again.text).not.toContain(secret.slice(6))
})

test.each([
  ['http://127.0.0.1/hook', 'address_not_allowed'],
  ['http://2130706433/', 'address_not_allowed'],
  ['http://[::ffff:169.254.169.254]/', 'address_not_allowed'],
  ['http://localhost:8080/', 'address_not_allowed'],
  ['http://127.0.0.1:9998/', 'address_not_allowed'],
  ['file:///etc/passwd', 'scheme_not_allowed'],
  ['gopher://example.com/', 'scheme_not_allowed'],
  ['https://user:pass@example.com/', 'credentials_in_url'],
  ['not a url', 'bad_url'],
  ['http://999.1.1.1/', 'bad_url'],
])('%s is refused at once', async (url, code) => {
  const answer = await ask('PUT', 'bot-a', { url })
  expect(answer).toMatchObject({ status: 400, error: { code } })
  if (code === 'address_not_allowed') expect(answer.error?.hint).toContain('TRUSTED_EGRESS_HOSTS')
  expect((await ask('GET', 'bot-a')).status).toBe(404)
})

test('a private address that the operator trusts is taken', async () => {
  expect((await ask('PUT', 'bot-a', { url: 'http://127.0.0.1:9999/hook' })).status).toBe(200)
})

test('a secret that is none is refused without being repeated', async () => {
  const answer = await ask('PUT', 'bot-a', { url: HOOK, secret: 'whsec_hunter2' })
  expect(answer).toMatchObject({ status: 400, error: { code: 'bad_secret' } })
  expect(answer.text).not.toContain('hunter2')
})

test('an endpoint that was turned off says why, and setting it again turns it on', async () => {
  await ask('PUT', 'bot-a', { url: HOOK })
  await house.database.pool.query(`UPDATE bot_channels SET disabled_at = now(), disabled_reason = 'answered 410 Gone'`)
  expect((await ask('GET', 'bot-a')).data).toMatchObject({ enabled: false, disabled_reason: 'answered 410 Gone' })
  expect((await ask('PUT', 'bot-a', { url: HOOK })).data).toMatchObject({ enabled: true, disabled_reason: null })
})

test('a removed webhook is gone, and removing it twice is 404', async () => {
  await ask('PUT', 'bot-a', { url: HOOK })
  expect(await ask('DELETE', 'bot-a')).toMatchObject({ status: 200, data: { removed: true } })
  expect((await ask('GET', 'bot-a')).status).toBe(404)
  expect((await ask('DELETE', 'bot-a')).status).toBe(404)
})

test("another bot's webhook is absent, whatever is sent", async () => {
  await ask('PUT', 'bot-b', { url: HOOK })
  const { key } = await house.addKey('admin', 'bot-a')
  for (const bot of ['bot-b', 'no-such-bot']) {
    const answers = [await ask('GET', bot, undefined, key), await ask('DELETE', bot, undefined, key)]
    answers.push(await ask('PUT', bot, { url: 'https://evil.example/' }, key), await ask('PUT', bot, {}, key))
    for (const { status, error, text } of answers) {
      expect([status, error?.code]).toEqual([404, 'not_found'])
      expect(text).not.toContain('hooks.example.com')
    }
  }
  expect((await ask('GET', 'bot-b')).data).toMatchObject({ url: HOOK })
  const sender = await house.addKey('send', 'bot-b')
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    expect((await ask(method, 'bot-b', method === 'PUT' ? { url: HOOK } : undefined, sender.key)).status).toBe(403)
  }
})

test('a secret whose key was lost can be replaced', async () => {
  await ask('PUT', 'bot-a', { url: HOOK })
  await house.database.pool.query(`UPDATE bot_channels SET secret = 'v1.00000000.AAAA'`)
  const kept = await ask('PUT', 'bot-a', { url: HOOK })
  expect(kept).toMatchObject({ status: 503, error: { code: 'secret_unreadable' } })
  expect(kept.text).not.toContain(SECRET)
  expect((await ask('PUT', 'bot-a', { url: HOOK, secret: newSecret('c') })).status).toBe(200)
})
