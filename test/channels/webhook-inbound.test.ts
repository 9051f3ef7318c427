import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { calls, says } from '../support/scripted-model'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'
import { newSecret } from './webhook-fixture'

let world: ChannelFixture
beforeAll(async () => {
  world = await buildChannelFixture()
}, 60_000)
afterAll(() => world.close())

interface Letter {
  id?: string
  secret?: string
  at?: Date
  body?: object | string
  botUuid?: string
  /** Changed after it was signed. */
  tampered?: string
  headers?: Record<string, string>
  from?: string
}

async function post({ id = randomUUID(), at = new Date(), body = {}, ...rest }: Letter) {
  const { secret = world.ledger.secret, botUuid = world.product.botUuid } = rest
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await world.app.inject({
    method: 'POST',
    url: `/api/v1/channels/webhook/${botUuid}`,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
      ...rest.headers,
    },
    payload: rest.tampered ?? text,
    remoteAddress: rest.from,
  })
  const { data, error } = answer.json<{ data: Record<string, unknown> | null; error?: { code: string } }>()
  return { status: answer.statusCode, data, code: error?.code }
}

const keyOf = (person: string, type = 'person') => `webhook:${world.product.botUuid}:${type}:${person}`
const arrivedFor = async (person: string) =>
  (await world.ledger.entries()).filter(({ sessionKey, accepted }) => sessionKey === keyOf(person) && accepted)
const countTurns = async (sessionKey: string) => {
  const { rows } = await world.product.parts.database.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM turns WHERE session_key = $1',
    [sessionKey],
  )
  return rows[0]!.count
}

test('a program is a platform: what it hands in is answered through its webhook', async () => {
  world.model.setScript([says('It is noon.')])
  const body = { launcher_id: 'mia', sender_name: 'Mia', text: 'what time is it?', timezone: 'Europe/Berlin' }
  const { status, data } = await post({ body })
  expect([status, data]).toEqual([200, { received: true, duplicate: false, ignored: null, session_key: keyOf('mia') }])
  const [answer] = await eventually(async () => {
    const found = await arrivedFor('mia')
    return found.length > 0 ? found : undefined
  })
  expect(answer).toMatchObject({ text: 'It is noon.', verified: true })
  expect(JSON.parse(answer!.body)).toMatchObject({ source_kind: 'chat', launcher_type: 'person', launcher_id: 'mia' })
  const session = await world.product.parts.sessions.open(ADMIN, keyOf('mia'))
  expect(session).toMatchObject({ channel: 'webhook', launcherType: 'person', timezone: 'Europe/Berlin' })
  const said = await world.product.parts.stores.messages.latest(keyOf('mia'), { limit: 5 })
  expect(said.map(({ role, senderId, content }) => [role, senderId, content])).toEqual([
    ['user', 'mia', 'what time is it?'],
    ['assistant', world.product.botUuid, 'It is noon.'],
  ])
}, 60_000)

test('D5: the same message four times at once and later is one turn and one answer, each time answered 200', async () => {
  world.model.setScript([says('Once.')])
  const letter = { id: 'evt-repeated', body: { launcher_id: 'ben', text: 'hello' } }
  const first = await Promise.all([post(letter), post(letter), post(letter)])
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(first.filter(({ data }) => data?.['duplicate'] === false)).toHaveLength(1)
  await eventually(async () => (await arrivedFor('ben')).length > 0)
  expect(await post(letter)).toMatchObject({ status: 200, data: { duplicate: true } })
  await world.product.parts.dispatcher.drain()
  expect(await countTurns(keyOf('ben'))).toBe(1)
  expect((await arrivedFor('ben')).map(({ text }) => text)).toEqual(['Once.'])
}, 60_000)

test('messages of one person are answered in the order they came', async () => {
  const asked = ['one', 'two', 'three', 'four']
  world.model.setScript(asked.map((word) => says(`answer to ${word}`)))
  for (const text of asked) await post({ body: { launcher_id: 'ordered', text } })
  await eventually(async () => (await arrivedFor('ordered')).length === 4)
  expect((await arrivedFor('ordered')).map(({ text }) => text)).toEqual(asked.map((word) => `answer to ${word}`))
}, 60_000)

test('D6: of 1,000 forged requests none is accepted', async () => {
  const body = { launcher_id: 'forger', text: 'let me in' }
  const text = JSON.stringify(body)
  const old = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const forgeries: (() => Letter)[] = [
    () => ({ body, secret: newSecret() }),
    () => ({ body, at: old(6) }),
    () => ({ body, at: old(-6) }),
    () => ({ body, tampered: text.replace('in', 'im') }),
    () => ({ body, tampered: `${text} ` }),
    () => ({ body, headers: { 'webhook-id': randomUUID() } }),
    () => ({ body, headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) } }),
    () => ({ body, headers: { 'webhook-timestamp': 'now' } }),
    () => ({ body, headers: { 'webhook-signature': '' } }),
    () => ({ body, headers: { 'webhook-signature': `v1,${randomBytes(32).toString('base64')}` } }),
    () => ({ body, headers: { 'webhook-signature': 'v1,' } }),
    () => ({ body, headers: { 'webhook-signature': `v2,${randomBytes(32).toString('base64')}` } }),
    () => ({ body, botUuid: randomUUID() }),
    () => ({ body: 'not json', secret: newSecret() }),
  ]
  const statuses = new Map<number, number>()
  for (let index = 0; index < 1_000; index++) {
    // From many addresses: one that is refused too often is not even looked at.
    const from = `203.0.113.${index % 250}`
    const { status } = await post({ ...forgeries[index % forgeries.length]!(), from })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([[401, 1_000]])
  const { rows } = await world.product.parts.database.pool.query(
    `SELECT 1 FROM inbound_messages WHERE session_key LIKE '%forger%'`,
  )
  expect(rows).toEqual([])
}, 120_000)

test('old and new secret both open the door while they are exchanged', async () => {
  const botUuid = randomUUID()
  const { parts } = world.product
  await parts.stores.bots.create({ uuid: botUuid, name: 'Rotating' })
  const [before, after] = [newSecret(), newSecret()]
  const { url } = world.ledger
  await parts.botPlatforms.set(ADMIN, botUuid, 'webhook', { url, secret: before })
  await parts.botPlatforms.set(ADMIN, botUuid, 'webhook', { url, secret: after })
  const body = { launcher_id: 'old-and-new', launcher_type: 'group', text: 'nobody is called' }
  for (const secret of [before, after]) expect((await post({ botUuid, secret, body })).status).toBe(200)
  expect((await post({ botUuid, secret: newSecret(), body })).status).toBe(401)
})

test('what the bot has said never comes back as input', async () => {
  await eventually(async () => (await arrivedFor('mia')).length > 0)
  const [ours] = await arrivedFor('mia')
  expect(await post({ id: ours!.webhookId, body: ours!.body })).toMatchObject({ data: { ignored: 'own_message' } })
  expect(await post({ body: ours!.body })).toMatchObject({ data: { ignored: 'own_message', received: false } })
  const echo = { launcher_id: 'mia', sender_id: world.product.botUuid, text: 'me again' }
  expect(await post({ body: echo })).toMatchObject({ data: { ignored: 'own_message' } })
})

test('in a group the bot answers only when it is addressed, and schedules nothing private there', async () => {
  const group = { launcher_type: 'group', launcher_id: 'team', sender_id: 'mia' }
  expect(await post({ body: { ...group, text: 'just talking' } })).toMatchObject({ data: { ignored: 'not_addressed' } })
  const sent = calls('schedule_private_message', { send_at: 'in 5 minutes', message_text: 'tea' })
  world.model.setScript([sent, says('Not here.')])
  const chain = [
    { type: 'At', target: world.product.botUuid },
    { type: 'Plain', text: 'remind me' },
  ]
  const { data } = await post({ body: { ...group, message_chain: chain, message_id: 'msg-7' } })
  expect(data).toMatchObject({ received: true, session_key: keyOf('team', 'group') })
  await eventually(async () => (await world.ledger.entries()).some(({ text }) => text === 'Not here.'))
  const list = { bots: 'all', sessionKey: keyOf('team', 'group'), limit: 5 } as const
  expect(await world.product.parts.stores.scheduledMessages.list(list)).toEqual([])
}, 60_000)

test.each([
  ['no launcher', { text: 'hi' }, 'bad_message'],
  ['no text', { launcher_id: 'x' }, 'empty_message'],
  ['an unknown part', { launcher_id: 'x', message_chain: [{ type: 'Dance' }] }, 'unknown_part'],
  ['a time zone that is none', { launcher_id: 'x', text: 'hi', timezone: 'Moon/Base' }, 'bad_timezone'],
  ['no JSON', 'hello', 'bad_message'],
])('a signed message with %s is refused with a reason', async (_name, body, code) => {
  expect(await post({ body })).toMatchObject({ status: 400, code })
})
