import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { OTHER_TOKEN, privateChat, startTelegramServer, TOKEN } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

let world: ChannelFixture
let telegram: TelegramServer
beforeAll(async () => {
  telegram = await startTelegramServer()
  world = await buildChannelFixture()
}, 90_000)
afterAll(async () => {
  await world.close()
  await telegram.close()
}, 60_000)

const urlOf = (botUuid: string) => `https://bot.example.com/api/v1/channels/telegram/${botUuid}`
const put = (botUuid: string, more: object = {}) => {
  const wanted = { token: TOKEN, api_root: telegram.url, mode: 'webhook', webhook_url: urlOf(botUuid), ...more }
  return world.product.parts.botPlatforms.set(ADMIN, botUuid, 'telegram', wanted)
}
const told = (botUuid: string) =>
  eventually(() => (telegram.webhook().url === urlOf(botUuid) ? telegram.webhook().secret_token : undefined), 60_000)
const post = (botUuid: string, token: string, messageId: number, text: string) =>
  world.app.inject({
    method: 'POST',
    url: `/api/v1/channels/telegram/${botUuid}`,
    headers: { 'x-telegram-bot-api-secret-token': token },
    payload: {
      update_id: messageId,
      message: { message_id: messageId, date: 0, from: { id: 77, first_name: 'M' }, chat: privateChat, text },
    },
  })
/** They share one token: one that stayed would go on telling Telegram its own address. */
afterEach(() => Promise.all(added.splice(0).map((uuid) => world.product.parts.botPlatforms.removeAll(uuid))))
const added: string[] = []
const addBot = async (uuid: string) => {
  await world.product.parts.stores.bots.create({ uuid, name: uuid })
  added.push(uuid)
  return uuid
}

test('a bot that is taken off Telegram and put on again is heard: Telegram knows the new secret token', async () => {
  const botUuid = await addBot('bot-again')
  await put(botUuid)
  const first = await told(botUuid)
  await world.product.parts.botPlatforms.remove(ADMIN, botUuid, 'telegram')
  expect(telegram.webhook().url).toBe('')
  await put(botUuid)
  const second = await told(botUuid)
  expect(second).not.toBe(first)
  world.model.setScript([says('heard')])
  expect((await post(botUuid, second, 1, 'hello')).statusCode).toBe(200)
  expect((await post(botUuid, first, 2, 'hello')).statusCode).toBe(401)
}, 90_000)

test('Telegram is told the secret token by every connection, also when it knows the address already', async () => {
  const botUuid = await addBot('bot-rekeyed')
  telegram.forgetSecret(urlOf(botUuid))
  await put(botUuid)
  const secret = await told(botUuid)
  expect((await post(botUuid, secret, 1, 'hello')).statusCode).toBe(200)
}, 60_000)

test('another bot of Telegram under the same bot of ours counts its messages anew, and none is taken for an old one', async () => {
  const botUuid = await addBot('bot-renewed')
  await put(botUuid)
  const secret = await told(botUuid)
  world.model.setScript([says('to the old one'), says('to the new one')])
  expect((await post(botUuid, secret, 1, 'first')).json()).toMatchObject({ data: { duplicate: false } })
  await put(botUuid, { token: OTHER_TOKEN })
  expect((await post(botUuid, secret, 1, 'another')).json()).toMatchObject({ data: { duplicate: false } })
  expect((await post(botUuid, secret, 1, 'another')).json()).toMatchObject({ data: { duplicate: true } })
}, 60_000)

test('a bot that is deleted leaves Telegram, its secrets and its figures behind', async () => {
  const botUuid = await addBot('bot-deleted')
  const { parts } = world.product
  await put(botUuid)
  await told(botUuid)
  await parts.botPlatforms.set(ADMIN, botUuid, 'webhook', { url: world.ledger.url })
  await parts.access.deleteBot(ADMIN, botUuid)
  const { rows } = await parts.database.pool.query('SELECT 1 FROM bot_channels WHERE bot_uuid = $1', [botUuid])
  expect(rows).toEqual([])
  expect(telegram.webhook().url).toBe('')
  expect((await world.app.inject('/metrics')).body).not.toContain(`bot="${botUuid}"`)
}, 60_000)

test('a platform that cannot be told does not keep a bot from leaving it', async () => {
  const botUuid = await addBot('bot-alone')
  await put(botUuid, { api_root: 'http://127.0.0.1:9' })
  await world.product.parts.botPlatforms.remove(ADMIN, botUuid, 'telegram')
  await expect(world.product.parts.botPlatforms.get(ADMIN, botUuid, 'telegram')).rejects.toMatchObject({
    code: 'not_found',
  })
})
