import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Channel } from '../../src/channels/channel'
import { ChannelFailure } from '../../src/channels/channel'
import { createPlatforms } from '../../src/channels/platforms'
import type { PlatformName } from '../../src/contracts/platforms'
import type { JsonObject } from '../../src/contracts/words'
import { findFreePort } from '../support/services'
import { TOKEN } from '../support/telegram-server'
import { buildWebhooks, messageOf, newSecret } from './webhook-fixture'

let webhooks: Awaited<ReturnType<typeof buildWebhooks>>
let cutting: Server
let hangingUp: WebSocketServer
beforeAll(async () => {
  webhooks = await buildWebhooks()
  // Takes a request and cuts the line, as a proxy does that is restarted.
  cutting = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
  hangingUp = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  hangingUp.on('connection', (socket) => socket.on('message', () => socket.terminate()))
})
afterAll(async () => {
  hangingUp.close()
  await new Promise((resolve) => cutting.close(resolve))
  await webhooks.close()
})

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const secretsOf: Record<PlatformName, JsonObject> = {
  webhook: { current: newSecret() },
  telegram: { token: TOKEN },
  onebot: { access_token: 'a-token' },
}

async function failureOn(name: PlatformName, url: string): Promise<ChannelFailure> {
  const { accounts, egress, files, movedChats, clock } = webhooks
  const settings: JsonObject = name === 'telegram' ? { api_root: url } : { url }
  await accounts.save(`bot-${name}`, name, { settings, secrets: secretsOf[name] })
  const channel: Channel = createPlatforms({ accounts, egress, files, movedChats, clock }).find(
    (platform) => platform.name === name,
  )!.channel
  const message = messageOf(`bot-${name}`)
  const session = { ...message.session, channel: name, launcherId: '77' }
  const error: unknown = await channel
    .send({ ...message, session }, AbortSignal.timeout(15_000))
    .catch((e: unknown) => e)
  if (error instanceof ChannelFailure) return error
  throw new Error('it did not fail')
}

test.each(['webhook', 'telegram', 'onebot'] as const)(
  'a line that is cut before the answer of %s leaves it uncertain',
  async (name) => {
    expect(await failureOn(name, `http://127.0.0.1:${portOf(cutting)}`)).toMatchObject({
      mayPass: true,
      uncertain: true,
    })
  },
)

test('a WebSocket of OneBot that ends in the middle of a call leaves it uncertain', async () => {
  expect(await failureOn('onebot', `ws://127.0.0.1:${portOf(hangingUp)}`)).toMatchObject({
    mayPass: true,
    uncertain: true,
  })
})

test.each(['webhook', 'telegram', 'onebot'] as const)(
  'where nobody listens nothing has arrived on %s',
  async (name) => {
    expect(await failureOn(name, `http://127.0.0.1:${await findFreePort()}`)).toMatchObject({
      mayPass: true,
      uncertain: false,
    })
  },
)
