import type { Session } from '../../src/conversation/session'
import type { MessageChain } from '../../src/contracts/message-chain'
import { inTransaction } from '../../src/engine/database'
import { insertMessage, lockSession } from '../../src/engine/session-writes'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { calls, says } from '../support/scripted-model'
import { groupChat, privateChat, startTelegramServer, TOKEN } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

let world: ChannelFixture
let telegram: TelegramServer
let key: string

beforeAll(async () => {
  telegram = await startTelegramServer()
  world = await buildChannelFixture()
  const { parts, botUuid } = world.product
  key = `telegram:${botUuid}:person:77`
  await parts.botPlatforms.set(ADMIN, botUuid, 'telegram', { token: TOKEN, api_root: telegram.url })
  const healthy = async () => (await parts.botPlatforms.get(ADMIN, botUuid, 'telegram')).health === 'ok'
  await eventually(healthy, 30_000)
}, 90_000)
afterAll(async () => {
  await world.close()
  await telegram.close()
}, 60_000)

const textsTo = (chatId: number) => telegram.sent(chatId).map(({ fields }) => fields['text'])
const deliveries = (sessionKey: string) =>
  world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey, limit: 20 })

function push(session: Session, content: string, chain?: MessageChain) {
  return inTransaction(world.product.parts.database.pool, async (db) => {
    await lockSession(db, session.sessionKey)
    const message = {
      role: 'assistant' as const,
      senderId: session.botUuid,
      content,
      chain,
      sourceKind: 'push' as const,
    }
    return (await insertMessage(db, session, message)).id
  })
}
const decided = async (sessionKey: string, messageId: number) =>
  eventually(
    async () => (await deliveries(sessionKey)).find((item) => item.messageId === messageId && item.state !== 'pending'),
    30_000,
  )

test('a person chats on Telegram, and the reminder they asked for arrives there', async () => {
  const asked = calls('schedule_private_message', { send_at: 'in 1 second', message_text: '该喝水了' })
  world.model.setScript([asked, says('好的。')])
  const update = telegram.say({ text: '一秒后提醒我喝水' })
  await eventually(() => textsTo(77).includes('该喝水了'), 40_000)
  expect(textsTo(77)).toEqual(['好的。', '该喝水了'])
  const session = await world.product.parts.sessions.open(ADMIN, key)
  expect(session).toMatchObject({ channel: 'telegram', launcherType: 'person', launcherId: '77' })
  // The same message handed out again, under another number of an update, is no second turn.
  telegram.repeat(update)
  world.model.setScript([says('only this')])
  telegram.say({ text: 'another one' })
  await eventually(() => textsTo(77).length === 3, 30_000)
  expect(textsTo(77)[2]).toBe('only this')
  const answer = await decided(key, (await deliveries(key))[0]!.messageId!)
  expect(answer).toMatchObject({ state: 'sent', possibleDuplicate: false })
  expect(answer.platformMessageIds[0]).toMatch(/^\d+$/)
}, 90_000)

test('in a group it answers when it is named or answered, as a reply, and its own words do not come back', async () => {
  world.model.setScript([says('yes?'), says('indeed')])
  telegram.say({ chat: groupChat, text: 'nobody calls the bot' })
  telegram.say({ chat: groupChat, from: { id: 4242, is_bot: true, first_name: 'Punctual' }, text: '@punctual_bot me' })
  const mention = { type: 'mention' as const, offset: 0, length: 13 }
  const named = telegram.say({ chat: groupChat, text: '@punctual_bot are you there?', entities: [mention] })
  await eventually(() => telegram.sent(-1001).length === 1, 30_000)
  expect(telegram.sent(-1001)[0]?.fields).toMatchObject({
    text: 'yes?',
    reply_parameters: { message_id: named.message!.message_id },
  })
  const ours = {
    message_id: 5,
    date: 0,
    chat: groupChat,
    from: { id: 4242, is_bot: true, first_name: 'P' },
    text: 'yes?',
  }
  telegram.say({ chat: groupChat, text: 'sure?', reply_to_message: ours as never })
  await eventually(() => telegram.sent(-1001).length === 2, 30_000)
  const said = await world.product.parts.stores.messages.latest(`telegram:${world.product.botUuid}:group:-1001`, {
    limit: 10,
  })
  expect(said.map(({ content }) => content)).toEqual(['are you there?', 'yes?', '> yes?\nsure?', 'indeed'])
}, 60_000)

test('429 is tried again when Telegram says, and nothing is sent twice', async () => {
  const session = await world.product.parts.sessions.open(ADMIN, key)
  const before = telegram.calls.length
  telegram.refuse({
    status: 429,
    body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 2 } },
  })
  const id = await push(session, 'a little later')
  expect(await decided(key, id)).toMatchObject({ state: 'sent', attempts: 2 })
  const tries = telegram.calls.slice(before).filter(({ fields }) => fields['text'] === 'a little later')
  expect(tries.map(({ status }) => status)).toEqual([429, 200])
  const { rows } = await world.product.parts.database.pool.query<{ gap: number }>(
    `SELECT extract(epoch FROM max(started_at) - min(started_at))::float8 AS gap FROM delivery_attempts a
     JOIN deliveries d ON a.source_ref = 'delivery:' || d.id WHERE d.message_id = $1`,
    [id],
  )
  expect(rows[0]!.gap).toBeGreaterThanOrEqual(2)
}, 60_000)

test('a person who blocked the bot is a final failure that says so, for messages and for reminders', async () => {
  const session = await world.product.parts.sessions.open(ADMIN, key)
  const blocked = { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' }
  telegram.refuse({ status: 403, body: blocked }, { status: 403, body: blocked })
  const failed = await decided(key, await push(session, 'are you there?'))
  expect(failed).toMatchObject({ state: 'failed', attempts: 1 })
  expect(failed.lastError).toBe('telegram_blocked: Forbidden: bot was blocked by the user')
  const outcome = await world.product.parts.scheduledMessages.schedule(session, {
    ...{ sendAt: 'in 1 second', messageText: 'tea', replaceExisting: false, language: 'en' as const },
  })
  if (!outcome.ok) throw new Error(outcome.code)
  const row = await eventually(async () => {
    const found = await world.product.parts.stores.scheduledMessages.find(outcome.message.id)
    return found?.status === 'failed' ? found : undefined
  }, 30_000)
  expect(row.lastError).toContain('telegram_blocked')
}, 60_000)

test('a chain is shown as Telegram can, in order; what it cannot show is text, and the receipt says so', async () => {
  const session = await world.product.parts.sessions.open(ADMIN, key)
  const from = telegram.calls.length
  const id = await push(session, 'see', [
    { type: 'Quote', id: '12' },
    { type: 'At', target: '77', display: 'Mia' },
    { type: 'Plain', text: 'look' },
    { type: 'Face', face_id: '3', name: 'smile' },
    { type: 'Image', url: 'https://example.com/a.png' },
    { type: 'File', name: 'notes.txt', base64: Buffer.from('hello').toString('base64') },
    { type: 'AtAll' },
  ])
  const delivery = await decided(key, id)
  expect(delivery).toMatchObject({ state: 'sent', degraded: 'shown as text: Face, AtAll' })
  expect(delivery.platformMessageIds).toHaveLength(4)
  const made = telegram.calls.slice(from)
  expect(made.map(({ method }) => method)).toEqual(['sendMessage', 'sendPhoto', 'sendDocument', 'sendMessage'])
  expect(made[0]?.fields).toMatchObject({ text: '@Mia look[smile]', reply_parameters: { message_id: 12 } })
  expect(made[0]?.fields['entities']).toMatchObject([{ type: 'text_mention', offset: 0, length: 4 }])
  expect(made[1]?.fields).toMatchObject({ photo: 'https://example.com/a.png' })
  expect(made[2]?.fields).toMatchObject({ upload: true })
}, 60_000)

test('a long text goes in pieces of at most 4,096; a piece that has arrived is not sent again', async () => {
  const session = await world.product.parts.sessions.open(ADMIN, key)
  const text = Array.from({ length: 900 }, (_, line) => `line ${line} 😀`).join('\n')
  const from = telegram.calls.length
  const down = { ok: false, error_code: 502, description: 'Bad Gateway' }
  // The second piece is refused once.
  telegram.refuse(undefined, { status: 502, body: down })
  const id = await push(session, text)
  const delivery = await decided(key, id)
  const pieces = telegram.calls.slice(from).filter(({ status }) => status === 200)
  expect(pieces.every(({ fields }) => String(fields['text']).length <= 4_096)).toBe(true)
  expect(pieces.map(({ fields }) => fields['text']).join('\n')).toBe(text)
  expect(delivery).toMatchObject({ state: 'sent', attempts: 2 })
  expect(delivery.platformMessageIds).toHaveLength(pieces.length)
}, 90_000)

test('of two workers one polls, and a lease that is not renewed is taken over', async () => {
  const { channelLeases } = world.product.parts.stores
  const other = await world.product.another()
  const second = other.startConnections()
  try {
    world.model.setScript([says('still one')])
    telegram.say({ text: 'how many are you?' })
    await eventually(() => textsTo(77).includes('still one'), 30_000)
    expect(telegram.mostPolls()).toBe(1)
  } finally {
    await second.stop()
  }
  expect(await channelLeases.hold('another worker', ['telegram'], 1)).toEqual([])
  await world.product.parts.database.pool.query('UPDATE bot_channels SET held_until = now()')
  const taken = await channelLeases.hold('another worker', ['telegram'], 1)
  expect(taken.map(({ botUuid }) => botUuid)).toEqual([world.product.botUuid])
  await channelLeases.release('another worker')
}, 60_000)

test('by webhook: the secret token opens the door, nothing else does, and a change needs no restart', async () => {
  const { parts, botUuid } = world.product
  const url = 'https://bot.example.com/api/v1/channels/telegram/x'
  const wanted = { mode: 'webhook', webhook_url: url, api_root: telegram.url }
  await parts.botPlatforms.set(ADMIN, botUuid, 'telegram', wanted)
  await eventually(() => telegram.webhook().url === url, 30_000)
  const { secret_token: secret = '' } = telegram.webhook()
  const post = (token: string, text: string) =>
    world.app.inject({
      method: 'POST',
      url: `/api/v1/channels/telegram/${botUuid}`,
      headers: { 'x-telegram-bot-api-secret-token': token },
      payload: {
        update_id: 9,
        message: { message_id: 9_000, date: 0, from: { id: 77, first_name: 'M' }, chat: privateChat, text },
      },
    })
  for (const wrong of ['', 'wrong', `${secret}x`, secret.slice(1)])
    expect((await post(wrong, 'hi')).statusCode).toBe(401)
  world.model.setScript([says('by webhook')])
  expect((await post(secret, 'hi')).json()).toMatchObject({ data: { received: true, duplicate: false } })
  expect((await post(secret, 'hi')).json()).toMatchObject({ data: { received: true, duplicate: true } })
  await eventually(() => textsTo(77).includes('by webhook'), 30_000)
  const shown = JSON.stringify(await parts.botPlatforms.get(ADMIN, botUuid, 'telegram'))
  expect(shown).not.toContain(secret)
  expect(shown).not.toContain(TOKEN)
}, 60_000)

test.each([
  [{}, 'secret_missing'],
  [{ token: 'not a token' }, 'bad_secret'],
  [{ token: TOKEN, mode: 'pigeon' }, 'bad_mode'],
  [{ token: TOKEN, mode: 'webhook' }, 'bad_url'],
  [{ token: TOKEN, api_root: 'http://169.254.169.254' }, 'address_not_allowed'],
])('%j is refused as %s', async (wanted, code) => {
  const { parts } = world.product
  const uuid = `bot-${code}`
  await parts.stores.bots.create({ uuid, name: 'Wrong' }).catch(() => undefined)
  await expect(parts.botPlatforms.set(ADMIN, uuid, 'telegram', wanted)).rejects.toMatchObject({ code })
})
