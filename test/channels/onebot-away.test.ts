import { createEventQueue } from '../../src/channels/event-queue'
import { createOneBot } from '../../src/channels/onebot'
import type { InboundReading } from '../../src/channels/inbound/contract'
import { openPostgres } from '../journeys/private-services'
import { eventually } from '../support/eventually'
import { ACCESS_TOKEN, startOneBotServer } from '../support/onebot-server'
import type { OneBotServer } from '../support/onebot-server'
import { ADMIN, buildProduct } from '../support/product'
import { startStallingProxy } from '../support/stalling-proxy'
import { buildWebhooks } from './webhook-fixture'

let onebot: OneBotServer
beforeAll(async () => {
  onebot = await startOneBotServer()
})
afterAll(() => onebot.close())

const portOf = (url: string) => Number(new URL(url).port)
const words = (number: number) => ({
  post_type: 'message',
  message_type: 'private',
  message_id: number,
  user_id: 20_002,
  message: [{ type: 'text', data: { text: `word ${number}` } }],
})

test('a connection that goes dead without a word is noticed, and one that is only quiet is kept', async () => {
  const [proxy, webhooks] = await Promise.all([startStallingProxy(portOf(onebot.wsUrl)), buildWebhooks()])
  const { accounts, egress, files } = webhooks
  const platform = createOneBot({ accounts, egress, files, liveness: { idleMs: 200, answerMs: 500 } })
  const settings = { url: `ws://127.0.0.1:${proxy.port}` }
  const account = await accounts.save('bot', 'onebot', { settings, secrets: { access_token: ACCESS_TOKEN } })
  let health = 0
  const hands = {
    ...{ cursor: null, keep: () => undefined, saveCursor: async () => undefined, remember: async () => undefined },
    accept: async () => ({ received: true, duplicate: false, ignored: null, sessionKey: null }),
    healthy: () => void (health += 1),
  }
  const ended = platform.connect!(account, hands, new AbortController().signal).catch((error: unknown) => error)
  // Nobody says anything: it asks, is answered, and stays.
  await eventually(() => health >= 4)
  proxy.stall()
  expect(await ended).toMatchObject({ code: 'onebot_silent', mayPass: true })
  await proxy.close()
  await webhooks.close()
}, 60_000)

test('what could not be stored at first is stored later, in the order it came and once', async () => {
  const stored: string[] = []
  let isAway = true
  const store = async ({ messages: [message] }: InboundReading) => {
    if (isAway) throw new Error('away')
    stored.push(message?.externalId ?? '')
  }
  const queue = createEventQueue({ store, onLost: (why) => stored.push(why) })
  const numbers = Array.from({ length: 50 }, (_, number) => String(number))
  const from = { launcherType: 'person' as const, launcherId: 'mia', senderId: 'mia', chain: [] }
  for (const externalId of numbers) queue.add({ messages: [{ externalId, ...from }] })
  await queue.settle(100)
  expect(stored).toEqual([])
  isAway = false
  await queue.settle(20_000)
  expect(stored).toEqual(numbers)
}, 30_000)

test('none of fifty messages is lost that are told while PostgreSQL is away for longer than a lease', async () => {
  const postgres = await openPostgres()
  const product = await buildProduct({ DATABASE_URL: postgres.address, TRUSTED_EGRESS_HOSTS: '127.0.0.1' })
  const { parts, botUuid } = product
  const connections = parts.startConnections()
  try {
    const wanted = { url: onebot.wsUrl, access_token: ACCESS_TOKEN }
    await parts.botPlatforms.set(ADMIN, botUuid, 'onebot', wanted)
    await eventually(async () => (await parts.botPlatforms.get(ADMIN, botUuid, 'onebot')).health === 'ok', 40_000)
    postgres.kill()
    const killedAt = Date.now()
    for (let number = 0; number < 25; number++) onebot.emit(words(number))
    await eventually(() => Date.now() - killedAt > 18_000, 30_000)
    for (let number = 25; number < 50; number++) expect(onebot.emit(words(number))).toBe(1)
    await postgres.stop()
    await postgres.start()
    const count = async () => {
      const { rows } = await parts.database.pool.query<{ count: number }>(
        'SELECT count(*) AS count FROM inbound_messages',
      )
      return Number(rows[0]!.count)
    }
    await eventually(async () => (await count().catch(() => 0)) === 50, 40_000)
  } finally {
    await connections.stop()
    await product.close()
    await postgres.stop()
  }
}, 150_000)
