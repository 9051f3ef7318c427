import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { endProcesses } from '../support/processes'
import { calls, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { startTelegramServer, TOKEN } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'
import { buildWorld } from './journey-fixture'
import type { World } from './journey-fixture'

let model: ScriptedModel
let telegram: TelegramServer
let world: World

beforeAll(async () => {
  model = await startScriptedModel()
  telegram = await startTelegramServer()
  // The world trusts its ledger only: the Bot API of this test is on the same host.
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', TRUSTED_EGRESS_HOSTS: '127.0.0.1' }
  world = await buildWorld(env)
  Object.assign(world.settings, { TRUSTED_EGRESS_HOSTS: '127.0.0.1' })
  const { parts, botUuid } = world.product
  await parts.botPlatforms.set(ADMIN, botUuid, 'telegram', { token: TOKEN, api_root: telegram.url })
}, 60_000)
afterAll(async () => {
  await endProcesses()
  await world.close()
  await telegram.close()
  await model.close()
}, 60_000)

const texts = () => telegram.sent(77).map(({ fields }) => fields['text'])

test('chat on Telegram, kill -9 of the worker, and the reminder arrives on Telegram from the next one', async () => {
  const promised = calls('schedule_private_message', { send_at: 'in 20 seconds', message_text: '该喝水了' })
  model.setScript([promised, says('好的，二十秒后提醒你。')])
  const doomed = await world.startWorker()
  telegram.say({ text: '二十秒后提醒我喝水' })
  const sessionKey = `telegram:${world.product.botUuid}:person:77`
  const answered = async () =>
    (await world.product.parts.stores.deliveries.list({ bots: 'all', sessionKey, limit: 1 }))[0]?.state === 'sent'
  await eventually(answered, 40_000)
  await doomed.kill()
  await world.startWorker()
  await eventually(() => texts().includes('该喝水了'), 90_000)
  expect(texts()).toEqual(['好的，二十秒后提醒你。', '该喝水了'])

  // The next worker has taken over the connection too.
  model.setScript([says('我在。')])
  telegram.say({ text: '你还在吗？' })
  await eventually(() => texts().includes('我在。'), 60_000)
  expect(texts()).toHaveLength(3)
  expect(telegram.mostPolls()).toBe(1)
}, 240_000)
