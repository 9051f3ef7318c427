import { createHmac } from 'node:crypto'
import type { MessageChain } from '../../src/contracts/message-chain'
import type { Session } from '../../src/conversation/session'
import { inTransaction } from '../../src/engine/database'
import { insertMessage, lockSession } from '../../src/engine/session-writes'
import { eventually } from '../support/eventually'
import { ACCESS_TOKEN, SELF_ID, startOneBotServer } from '../support/onebot-server'
import type { OneBotServer } from '../support/onebot-server'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

let world: ChannelFixture
let onebot: OneBotServer

beforeAll(async () => {
  onebot = await startOneBotServer()
  world = await buildChannelFixture()
  await world.product.parts.botPlatforms.set(ADMIN, world.product.botUuid, 'onebot', {
    url: onebot.wsUrl,
    access_token: ACCESS_TOKEN,
  })
  await healthIs('ok')
}, 90_000)
afterAll(async () => {
  await world.close()
  await onebot.close()
}, 60_000)

const view = () => world.product.parts.botPlatforms.get(ADMIN, world.product.botUuid, 'onebot')
const healthIs = (wanted: string) => eventually(async () => (await view()).health === wanted, 40_000)
const keyOf = (id: string, type = 'person') => `onebot:${world.product.botUuid}:${type}:${id}`

let numbers = 0
const from = (userId: number, message: unknown, more: object = {}) => ({
  post_type: 'message',
  message_type: 'private',
  message_id: (numbers += 1),
  user_id: userId,
  sender: { nickname: 'Mia' },
  message,
  ...more,
})
const text = (words: string) => ({ type: 'text', data: { text: words } })
const at = (qq: string) => ({ type: 'at', data: { qq } })

async function push(session: Session, chain: MessageChain) {
  const id = await inTransaction(world.product.parts.database.pool, async (db) => {
    await lockSession(db, session.sessionKey)
    const message = {
      role: 'assistant' as const,
      senderId: session.botUuid,
      content: 'chain',
      chain,
      sourceKind: 'push' as const,
    }
    return (await insertMessage(db, session, message)).id
  })
  return eventually(async () => {
    const { sessionKey } = session
    const found = await world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey, limit: 20 })
    return found.find((item) => item.messageId === id && item.state !== 'pending')
  }, 30_000)
}

test('a private message over the WebSocket is answered by send_private_msg, once although it is told twice', async () => {
  world.model.setScript([says('你好！')])
  const event = from(20_002, [text('你好')])
  onebot.emit(event)
  onebot.emit(event)
  await eventually(() => onebot.sent().length > 0, 30_000)
  expect(onebot.sent()).toMatchObject([
    { action: 'send_private_msg', params: { user_id: 20_002, message: [text('你好！')] }, over: 'ws' },
  ])
  const session = await world.product.parts.sessions.open(ADMIN, keyOf('20002'))
  expect(session).toMatchObject({ channel: 'onebot', launcherType: 'person', launcherId: '20002' })
}, 60_000)

test('in a group it answers when it is at-ed, as a reply, marks the group as read, and never hears itself', async () => {
  const before = onebot.sent().length
  world.model.setScript([says('in'), says('CQ')])
  const group = { message_type: 'group', group_id: 900 }
  onebot.emit(from(20_002, [text('just talk')], group))
  onebot.emit(from(20_002, [at('20003'), text('and you?')], group))
  onebot.emit(from(SELF_ID, [at(String(SELF_ID)), text('me')], group))
  onebot.emit({ ...from(SELF_ID, [at(String(SELF_ID)), text('sent')], group), post_type: 'message_sent' })
  const called = from(20_002, [at(String(SELF_ID)), text(' are you there?')], group)
  onebot.emit(called)
  await eventually(() => onebot.sent().length === before + 1, 30_000)
  const reply = { type: 'reply', data: { id: String(called.message_id) } }
  expect(onebot.sent().at(-1)).toMatchObject({
    action: 'send_group_msg',
    params: { group_id: 900, message: [reply, text('in')] },
  })
  expect(onebot.calls).toContainEqual({ action: 'mark_group_msg_as_read', params: { group_id: 900 }, over: 'ws' })
  onebot.emit(from(20_002, `[CQ:at,qq=${SELF_ID}] a &amp; b`, group))
  await eventually(() => onebot.sent().length === before + 2, 30_000)
  const said = await world.product.parts.stores.messages.latest(keyOf('900', 'group'), { limit: 10 })
  expect(said.map(({ content }) => content)).toEqual(['are you there?', 'in', 'a & b', 'CQ'])
}, 60_000)

test('after the other side was restarted it connects again and hears what is said then', async () => {
  const greetings = () => onebot.calls.filter(({ action }) => action === 'get_login_info').length
  const greeted = greetings()
  onebot.cut()
  await eventually(() => greetings() > greeted, 40_000)
  const before = onebot.sent().length
  world.model.setScript([says('back again')])
  onebot.emit(from(20_002, [text('hello again')]))
  await eventually(() => onebot.sent().length === before + 1, 30_000)
  expect(onebot.sent().at(-1)?.params['message']).toEqual([text('back again')])
}, 90_000)

test('a chain becomes segments; what OneBot cannot show is text, and the receipt says so', async () => {
  const session = await world.open('900', 'onebot')
  const group = { ...session, launcherType: 'group' as const, sessionKey: keyOf('900', 'group') }
  const chain: MessageChain = [
    { type: 'Quote', id: '7' },
    { type: 'At', target: '20002' },
    { type: 'AtAll' },
    { type: 'Plain', text: 'look ' },
    { type: 'Face', face_id: '14' },
    { type: 'Image', url: 'https://example.com/a.png' },
    { type: 'Voice', base64: 'AAAA' },
    { type: 'File', name: 'notes.txt', url: 'https://example.com/notes.txt' },
  ]
  const delivery = await push(group, chain)
  expect(delivery).toMatchObject({ state: 'sent', degraded: 'shown as text: File' })
  expect(delivery.platformMessageIds[0]).toMatch(/^\d+$/)
  expect(onebot.sent().at(-1)?.params['message']).toEqual([
    { type: 'reply', data: { id: '7' } },
    at('20002'),
    at('all'),
    text('look '),
    { type: 'face', data: { id: '14' } },
    { type: 'image', data: { file: 'https://example.com/a.png' } },
    { type: 'record', data: { file: 'base64://AAAA' } },
    text('[File] notes.txt https://example.com/notes.txt'),
  ])
  const alone = await push(session, [{ type: 'AtAll' }, { type: 'Plain', text: 'hi' }])
  expect(alone.degraded).toBe('shown as text: AtAll')
}, 60_000)

test('a refusal is final or tried again by what it says', async () => {
  const session = await world.open('20002', 'onebot')
  onebot.refuse({ status: 'failed', retcode: 1200, wording: 'timeout' })
  expect(await push(session, [{ type: 'Plain', text: 'later' }])).toMatchObject({ state: 'sent', attempts: 2 })
  onebot.refuse({ status: 'failed', retcode: 1400, wording: 'not a friend' })
  const failed = await push(session, [{ type: 'Plain', text: 'never' }])
  expect(failed).toMatchObject({
    state: 'failed',
    attempts: 1,
    lastError: 'onebot_rejected: retcode 1400: not a friend',
  })
}, 60_000)

test('over HTTP: actions go by POST with the token, signed reports come in, forged ones do not', async () => {
  const { parts, botUuid } = world.product
  await parts.botPlatforms.set(ADMIN, botUuid, 'onebot', { url: onebot.httpUrl })
  await healthIs('ok')
  const report = (event: object, token = ACCESS_TOKEN) => {
    const payload = JSON.stringify({ self_id: SELF_ID, ...event })
    const signature = `sha1=${createHmac('sha1', token).update(payload).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-signature': signature }
    return world.app.inject({ method: 'POST', url: `/api/v1/channels/onebot/${botUuid}`, headers, payload })
  }
  expect((await report(from(20_002, [text('hi')]), 'another token')).statusCode).toBe(401)
  world.model.setScript([says('over http')])
  expect((await report(from(20_002, [text('hi')]))).json()).toMatchObject({ data: { received: true } })
  const arrived = () => onebot.sent().find(({ params }) => JSON.stringify(params).includes('over http'))
  expect(await eventually(arrived, 30_000)).toMatchObject({ action: 'send_private_msg', over: 'http' })
}, 60_000)

test('a wrong token is shown as what it is, and no secret is ever shown', async () => {
  const { parts, botUuid } = world.product
  await parts.botPlatforms.set(ADMIN, botUuid, 'onebot', { url: onebot.wsUrl, access_token: 'not-the-right-token' })
  await healthIs('down')
  expect((await view()).detail).toMatch(/^onebot_(unauthorized|unreachable)/)
  expect(JSON.stringify(await view())).not.toContain('not-the-right-token')
  await expect(parts.botPlatforms.set(ADMIN, botUuid, 'onebot', { url: 'ftp://x' })).rejects.toMatchObject({
    code: 'bad_url',
  })
  const ready = await world.app.inject('/readyz')
  expect(ready.json()).toMatchObject({ channels: { webhook: { ok: 1 }, onebot: { down: 1 } } })
  const figures = (await world.app.inject('/metrics')).body
  expect(figures).toContain(`punctual_channel_up{channel="onebot",bot="${botUuid}"} 0`)
  expect(figures).toContain(`punctual_channel_up{channel="webhook",bot="${botUuid}"} 1`)
  await parts.botPlatforms.remove(ADMIN, botUuid, 'onebot')
  await expect(view()).rejects.toMatchObject({ code: 'not_found' })
}, 60_000)
