import { v7 as uuidv7 } from 'uuid'
import { createPlatforms } from '../../src/channels/platforms'
import type { MessageChain } from '../../src/contracts/message-chain'
import type { PlatformName } from '../../src/contracts/platforms'
import { createArtifactStore } from '../../src/runs/artifact-store'
import { ACCESS_TOKEN, startOneBotServer } from '../support/onebot-server'
import type { OneBotServer } from '../support/onebot-server'
import { startTelegramServer, TOKEN } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'
import { buildWebhooks, messageOf } from './webhook-fixture'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let webhooks: Awaited<ReturnType<typeof buildWebhooks>>
let telegram: TelegramServer
let onebot: OneBotServer
let chain: MessageChain
let large: string
beforeAll(async () => {
  ;[webhooks, telegram, onebot] = await Promise.all([buildWebhooks(), startTelegramServer(), startOneBotServer()])
  const { accounts, database } = webhooks
  await webhooks.pointAt('bot')
  await accounts.save('bot', 'telegram', { settings: { api_root: telegram.url }, secrets: { token: TOKEN } })
  await accounts.save('bot', 'onebot', { settings: { url: onebot.httpUrl }, secrets: { access_token: ACCESS_TOKEN } })
  const artifacts = createArtifactStore(database)
  const save = async (name: string, contentType: string, content: Buffer) =>
    (await artifacts.save({ botUuid: 'bot', runId: uuidv7() }, { name, contentType, content })).id
  const [picture, page] = [
    await save('cat.png', 'image/png', PNG),
    await save('app.html', 'text/html', Buffer.from('<p>')),
  ]
  large = await save('large.zip', 'application/zip', Buffer.alloc(100_000))
  chain = [
    { type: 'Plain', text: 'here they are' },
    { type: 'Image', artifact_id: picture, name: 'cat.png' },
    { type: 'File', artifact_id: page, name: 'app.html' },
  ]
})
afterAll(async () => {
  await onebot.close()
  await telegram.close()
  await webhooks.close()
})

function send(name: PlatformName, said: MessageChain, botUuid = 'bot') {
  const { accounts, egress, files, movedChats, clock } = webhooks
  const { channel } = createPlatforms({ accounts, egress, files, movedChats, clock }).find(
    (platform) => platform.name === name,
  )!
  const message = messageOf(botUuid)
  const session = { ...message.session, channel: name, launcherId: '77' }
  return channel.send({ ...message, session, chain: said }, AbortSignal.timeout(30_000))
}

test('on Telegram a picture and a file of a run are uploaded as what they are', async () => {
  expect(await send('telegram', chain)).toMatchObject({ degraded: null })
  expect(telegram.sent(77).map(({ method }) => method)).toEqual(['sendMessage', 'sendPhoto', 'sendDocument'])
  expect(telegram.sent(77)[1]?.fields).toMatchObject({ upload: true })
})

test('on OneBot a picture goes as its bytes in the message, and a file by the action for files', async () => {
  expect(await send('onebot', chain)).toMatchObject({ degraded: null })
  const [message, upload] = onebot.calls.filter(({ action }) => action !== 'get_login_info')
  expect(message).toMatchObject({
    action: 'send_private_msg',
    params: {
      message: [
        { type: 'text', data: { text: 'here they are' } },
        { type: 'image', data: { file: `base64://${PNG.toString('base64')}` } },
      ],
    },
  })
  const file = `base64://${Buffer.from('<p>').toString('base64')}`
  expect(upload).toMatchObject({ action: 'upload_private_file', params: { user_id: 77, name: 'app.html', file } })
})

test('a side of OneBot that takes no files gets the name and the link', async () => {
  const before = onebot.calls.length
  onebot.refuse({ status: 'failed', retcode: 1404, wording: 'no such action' })
  await send('onebot', chain.slice(2))
  const [upload, message] = onebot.calls.slice(before)
  expect(upload?.action).toBe('upload_private_file')
  expect(JSON.stringify(message)).toMatch(/\[File\] app\.html https:\/\/bot\.example\.com\/api\/v1\/artifacts\//)
})

test('a webhook gets a link that opens without a key, and the bytes of what is small', async () => {
  await send('webhook', [...chain, { type: 'File', artifact_id: large, name: 'large.zip' }])
  const body = JSON.parse((await webhooks.ledger.entries()).at(-1)?.body ?? '') as {
    message_chain: Record<string, string>[]
  }
  const [, picture, page, zip] = body.message_chain
  const link = (id: string) =>
    expect.stringMatching(
      `^https://bot.example.com/api/v1/artifacts/${id}/file\\?expires=\\d+&signature=[\\w-]{43}$`,
    ) as string
  expect(picture).toEqual({
    type: 'Image',
    name: 'cat.png',
    base64: PNG.toString('base64'),
    url: expect.stringContaining('https://') as string,
  })
  expect(page).toMatchObject({ type: 'File', name: 'app.html', base64: 'PHA+' })
  expect(zip).toEqual({ type: 'File', name: 'large.zip', url: link(large) })
})

test('a file of another bot is named, and not given', async () => {
  await webhooks.pointAt('bot-other')
  await send('webhook', chain, 'bot-other')
  const body = (await webhooks.ledger.entries()).at(-1)?.body ?? ''
  expect(body).not.toContain('artifacts')
  expect(body).not.toContain(PNG.toString('base64'))
})
