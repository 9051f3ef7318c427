import type { Chat } from 'grammy/types'
import { createSecretBox } from '../../src/access/secret-box'
import { createPlatformAccounts } from '../../src/channels/platform-accounts'
import { createTelegramChannel } from '../../src/channels/telegram/channel'
import type { MessageChain } from '../../src/contracts/message-chain'
import type { Session } from '../../src/conversation/session'
import type { Product as Parts } from '../../src/build/product'
import { createEgress } from '../../src/egress/egress'
import { inTransaction } from '../../src/engine/database'
import { insertMessage, lockSession } from '../../src/engine/session-writes'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { BOT, startTelegramServer, TOKEN } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'
import { SECRET_KEY } from './webhook-fixture'

/** Far shorter than Telegram's own gaps, so that a hundred messages to one group do not take minutes. */
const PACE = { personMs: 50, groupMs: 100, botMs: 34 }

let world: ChannelFixture
let telegram: TelegramServer
const egress = createEgress({ trustedHosts: ['127.0.0.1'] })

beforeAll(async () => {
  telegram = await startTelegramServer()
  world = await buildChannelFixture({ PUNCTUAL_SECRET_KEY: SECRET_KEY }, faster)
  world.product.guard.expectActivityFailures('deliverMessage')
  const { parts, botUuid } = world.product
  await parts.botPlatforms.set(ADMIN, botUuid, 'telegram', { token: TOKEN, api_root: telegram.url })
  await eventually(async () => (await parts.botPlatforms.get(ADMIN, botUuid, 'telegram')).health === 'ok', 30_000)
}, 90_000)
afterAll(async () => {
  await world.close()
  await telegram.close()
  await egress.close()
}, 60_000)

function faster({ stores, channels }: Parts): Pick<Parts, 'channels'> {
  const accounts = createPlatformAccounts({ store: stores.botChannels, box: createSecretBox(SECRET_KEY) })
  const files = { find: stores.artifacts.find, linkTo: () => '' }
  const { movedChats } = stores
  const telegramChannel = createTelegramChannel({ accounts, egress, files, movedChats, pace: PACE })
  return { channels: new Map([...channels, ['telegram', telegramChannel]]) }
}

const group = (launcherId: string) =>
  world.product.parts.sessions.resolve(ADMIN, {
    ...{ botUuid: world.product.botUuid, channel: 'telegram', launcherType: 'group', launcherId },
  })
const deliveries = ({ sessionKey }: Session, limit = 200) =>
  world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey, limit })
const allDecided = (session: Session, count: number, limitMs: number) =>
  eventually(async () => {
    const rows = await deliveries(session)
    return rows.length === count && rows.every(({ state }) => state !== 'pending') ? rows : undefined
  }, limitMs)
const textsTo = (chatId: number) => telegram.sent(chatId).map(({ fields }) => fields['text'])

function sayAll(session: Session, said: { content: string; chain?: MessageChain }[]) {
  return inTransaction(world.product.parts.database.pool, async (db) => {
    await lockSession(db, session.sessionKey)
    for (const message of said) {
      await insertMessage(db, session, {
        ...{ role: 'assistant', senderId: session.botUuid, sourceKind: 'push', ...message },
      })
    }
  })
}

const becameSupergroup = (newId: number) => ({
  status: 400,
  body: {
    ...{ ok: false, error_code: 400, description: 'Bad Request: group chat was upgraded to a supergroup chat' },
    parameters: { migrate_to_chat_id: newId },
  },
})
const chatOf = (id: number, type: 'group' | 'supergroup' = 'supergroup') => ({ id, type, title: 'Team' }) as Chat
const mention = { type: 'mention' as const, offset: 0, length: BOT.username.length + 1 }
const toBot = (text: string) => ({ text: `@${BOT.username} ${text}`, entities: [mention] })

test('a group that became a supergroup is reached under its new id, and what is said there belongs to its session', async () => {
  const session = await group('-501')
  telegram.refuse(becameSupergroup(-100501))
  await sayAll(session, [{ content: 'first' }, { content: 'second' }])
  for (const row of await allDecided(session, 2, 30_000)) {
    expect(row).toMatchObject({ state: 'sent', attempts: 1, possibleDuplicate: false })
  }
  expect(textsTo(-100501)).toEqual(['first', 'second'])
  world.model.setScript([says('still here')])
  telegram.say({ chat: chatOf(-100501), ...toBot('are you there?') })
  await eventually(() => textsTo(-100501).includes('still here'), 30_000)
  const said = await world.product.parts.stores.messages.latest(session.sessionKey, { limit: 10 })
  expect(said.map(({ content }) => content)).toEqual(['first', 'second', 'are you there?', 'still here'])
  const pushed = await world.product.parts.push.send(ADMIN, {
    target: { botUuid: session.botUuid, launcherType: 'group', launcherId: '-100501' },
    chain: [{ type: 'Plain', text: 'pushed' }],
    urgent: true,
  })
  expect(pushed.session_key).toBe(session.sessionKey)
}, 90_000)

test('whoever asks by the new id of a group finds its session, its promises and its history, and can delete it', async () => {
  const session = await group('-507')
  await sayAll(session, [{ content: 'before the move' }])
  await allDecided(session, 1, 30_000)
  telegram.say({ chat: chatOf(-507, 'group'), migrate_to_chat_id: -100507 })
  const { botUuid } = session
  const { stores, sessions, history } = world.product.parts
  await eventually(async () => (await stores.movedChats.knownAs('-100507', { botUuid })) === '-507', 30_000)
  const address = { botUuid, channel: 'telegram', launcherType: 'group', launcherId: '-100507' } as const
  expect(await sessions.resolve(ADMIN, address)).toMatchObject({ sessionKey: session.sessionKey })
  expect(await sessions.look(ADMIN, address)).toMatchObject({ sessionKey: session.sessionKey, isStored: true })
  const page = { bots: 'all', order: 'asc', limit: 10, offset: 0 } as const
  for (const asked of [{ launcherId: '-100507' }, { launcherId: '-100507', botUuid }, { launcherId: '-507' }]) {
    expect(await history.read({ ...page, ...asked })).toMatchObject([{ messageContent: 'before the move' }])
  }
  const target = { botUuid, launcherType: 'group', launcherId: '-100507' } as const
  expect(await history.forget(ADMIN, target, { cancelPromises: true })).toMatchObject({ deleted: 1 })
  expect(await history.read({ ...page, launcherId: '-507' })).toEqual([])
}, 90_000)

test.each([
  ['under its old id', -502, -100502, { chat: chatOf(-502, 'group'), migrate_to_chat_id: -100502 }],
  ['under its new id', -503, -100503, { chat: chatOf(-100503), migrate_from_chat_id: -503 }],
])(
  'a group that says %s that it moved is followed before anything is sent',
  async (_where, oldId, newId, told) => {
    const session = await group(String(oldId))
    world.model.setScript([says('followed')])
    telegram.say(told)
    telegram.say({ chat: chatOf(newId), ...toBot('hello') })
    await eventually(() => textsTo(newId).includes('followed'), 30_000)
    const said = await world.product.parts.stores.messages.latest(session.sessionKey, { limit: 10 })
    expect(said.map(({ content }) => content)).toEqual(['hello', 'followed'])
    expect(telegram.sent(oldId)).toEqual([])
  },
  60_000,
)

test('a message of which Telegram can show nothing fails at once and says so', async () => {
  const session = await group('-504')
  await sayAll(session, [{ content: '[quote]', chain: [{ type: 'Quote', id: '12' }] }, { content: 'the next' }])
  const rows = await allDecided(session, 2, 30_000)
  const failed = rows.find(({ state }) => state === 'failed')
  expect(failed).toMatchObject({ attempts: 1 })
  expect(failed?.lastError).toMatch(/^nothing_to_show/)
  expect(textsTo(-504)).toEqual(['the next'])
}, 60_000)

test('a line that is cut after Telegram took the message: it is sent again and flagged, for answers and reminders', async () => {
  const session = await group('-505')
  telegram.refuse('cut')
  await sayAll(session, [{ content: 'an answer' }])
  expect(await allDecided(session, 1, 30_000)).toMatchObject([{ state: 'sent', attempts: 2, possibleDuplicate: true }])
  expect(textsTo(-505)).toEqual(['an answer', 'an answer'])
  const person = await world.open('88', 'telegram')
  telegram.refuse('cut')
  const outcome = await world.product.parts.scheduledMessages.schedule(person, {
    ...{ sendAt: 'in 1 second', messageText: 'tea', replaceExisting: false, language: 'en' as const },
  })
  if (!outcome.ok) throw new Error(outcome.code)
  const { scheduledMessages } = world.product.parts.stores
  const row = await eventually(async () => {
    const found = await scheduledMessages.find(outcome.message.id)
    return found && found.status !== 'pending' ? found : undefined
  }, 40_000)
  expect(row).toMatchObject({ status: 'sent', possibleDuplicate: true })
  expect(textsTo(88)).toEqual(['tea', 'tea'])
}, 90_000)

test('a hundred messages to one group at once all arrive, in order, each once', async () => {
  const session = await group('-506')
  const said = Array.from({ length: 100 }, (_, number) => `number ${number}`)
  await sayAll(
    session,
    said.map((content) => ({ content })),
  )
  const rows = await allDecided(session, 100, 240_000)
  expect(rows.filter(({ state, possibleDuplicate }) => state !== 'sent' || possibleDuplicate)).toEqual([])
  expect(textsTo(-506)).toEqual(said)
}, 300_000)
