import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { calls, says } from '../support/scripted-model'
import { startTelegramServer, TOKEN } from '../support/telegram-server'
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
  await eventually(healthy, 60_000)
}, 180_000)
afterAll(async () => {
  await world.close()
  await telegram.close()
}, 60_000)

interface Button {
  text: string
  callback_data: string
}

const messages = (sessionKey: string, status: 'sent' | 'pending' = 'sent') =>
  world.product.parts.scheduledMessages.list({ bots: 'all', sessionKey, status, limit: 20 })
const find = async (id: string) => (await world.product.parts.scheduledMessages.find(id))!
const textsTo = (chatId: number) => telegram.sent(chatId).map(({ fields }) => String(fields['text']))

/** A reminder that the person asked for on Telegram and got; with the buttons below it. */
async function remindedOf(text: string): Promise<{ id: string; buttons: Button[] }> {
  world.model.setScript([
    calls('schedule_private_message', { send_at: 'in 1 second', message_text: text }),
    says('好的。'),
  ])
  telegram.say({ text: `一秒后提醒我${text}` })
  const isSent = async () => (await messages(key).catch(() => [])).find((message) => message.messageText === text)
  const { id } = await eventually(isSent, 60_000)
  const call = telegram.sent(77).findLast(({ fields }) => fields['text'] === text)
  const markup = call?.fields['reply_markup']
  const { inline_keyboard: rows } = (typeof markup === 'string' ? JSON.parse(markup) : markup) as {
    inline_keyboard: Button[][]
  }
  return { id, buttons: rows.flat() }
}

test('a button puts a reminder off without asking a model, once however often it is pressed', async () => {
  const { id, buttons } = await remindedOf('该喝水了')
  expect(buttons.map(({ text }) => text)).toEqual(['10分钟后', '1小时后', '好了'])
  world.model.setScript([])
  const asked = world.model.requests.length
  const pressed = telegram.press(buttons[0]!.callback_data, '10分钟后')
  await eventually(() => textsTo(77).some((text) => text.includes('再提醒你')), 60_000)
  telegram.repeat(pressed)
  telegram.press(buttons[2]!.callback_data, '好了')
  await eventually(() => textsTo(77).includes('好的，已完成。'), 60_000)
  expect(world.model.requests).toHaveLength(asked)
  expect(await find(id)).toMatchObject({ followUp: 'acknowledged' })
  expect(await messages(key, 'pending')).toEqual([])
  expect(textsTo(77).filter((text) => text.includes('再提醒你'))).toHaveLength(1)
  expect(telegram.calls.some(({ method }) => method === 'answerCallbackQuery')).toBe(true)
}, 240_000)

test('words in reply to a reminder mean that one, although another came later', async () => {
  const { id } = await remindedOf('带伞')
  const other = await remindedOf('锁门')
  const deliveries = await world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey: key, limit: 50 })
  const [platformId] = deliveries.find((delivery) => delivery.scheduledMessageId === id)!.platformMessageIds
  world.model.setScript([calls('acknowledge_reminder', {}), says('收到。')])
  telegram.say({ text: '好了', reply_to_message: { message_id: Number(platformId), text: '带伞' } as never })
  await eventually(async () => (await find(id)).followUp === 'acknowledged', 60_000)
  expect((await find(other.id)).followUp).toBeNull()
}, 240_000)

test('a webhook gets the buttons as data and hands in the one that was pressed', async () => {
  const session = await world.open('mia')
  await world.product.parts.scheduledMessages.schedule(session, {
    sendAt: 'in 1 second',
    messageText: 'Take a break',
    replaceExisting: false,
    language: 'en',
  })
  await world.delivered(session, 1, 60_000)
  const { id } = await eventually(async () => (await messages(session.sessionKey))[0], 60_000)
  const body = JSON.stringify({ type: 'action', action_id: `snooze_1h:${id}`, launcher_id: 'mia', text: 'In 1 hour' })
  const at = new Date()
  const webhookId = randomUUID()
  const answer = await world.app.inject({
    method: 'POST',
    url: `/api/v1/channels/webhook/${world.product.botUuid}`,
    headers: {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(world.ledger.secret).sign(webhookId, at, body),
    },
    payload: body,
  })
  expect(answer.statusCode).toBeLessThan(300)
  await eventually(async () => (await find(id)).followUp === 'snoozed', 60_000)
  const [next] = await messages(session.sessionKey, 'pending')
  expect(next).toMatchObject({ messageText: 'Take a break', snoozedFrom: id })
  await world.product.parts.scheduledMessages.cancel(session.sessionKey, { reason: 'cancelled' })
}, 240_000)
