import { CLOSING_TEXTS } from '../../src/conversation/turn'
import { eventually } from '../support/eventually'
import { endProcesses } from '../support/processes'
import { calls, hangs, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { buildWorld } from './journey-fixture'
import type { World } from './journey-fixture'

/** Places between a message that was stored and the commit that says its answer has arrived. */
const PLACES = ['inbound_begun', 'inbound_answered', 'delivery_begun', 'delivered_before_commit'] as const

let model: ScriptedModel
let world: World

beforeAll(async () => {
  model = await startScriptedModel()
  world = await buildWorld({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0' })
}, 60_000)
afterAll(async () => {
  await endProcesses()
  await world.close()
  await model.close()
}, 60_000)

const keyOf = (person: string) => `webhook:${world.product.botUuid}:person:${person}`

function handIn(person: string, text: string, externalId = `${person}/1`) {
  const { inbound } = world.product.parts
  const who = { launcherType: 'person', launcherId: person, senderId: person } as const
  const messages = [{ externalId, ...who, chain: [{ type: 'Plain' as const, text }] }]
  return inbound.accept('webhook', world.product.botUuid, { messages })
}

const arrivedFor = async (person: string) =>
  (await world.ledger.entries()).filter(({ sessionKey, accepted }) => sessionKey === keyOf(person) && accepted)
const historyOf = async (person: string) =>
  (await world.product.parts.stores.messages.latest(keyOf(person), { limit: 20 })).map(({ role, content }) => [
    role,
    content,
  ])
const turnsOf = async (person: string) =>
  (
    await world.product.parts.database.pool.query<{ status: string }>(
      'SELECT status FROM turns WHERE session_key = $1',
      [keyOf(person)],
    )
  ).rows.map(({ status }) => status)

async function killedAt(point: string): Promise<string> {
  return world.startWorker(point).then(
    (worker) => worker.ended,
    (error: Error) => error.message,
  )
}

test.each(PLACES)(
  'a worker is killed at %s',
  async (point) => {
    model.setScript(() => says('answered'))
    await handIn(point, `hello at ${point}`)
    expect(await killedAt(point)).toContain('SIGKILL')
  },
  120_000,
)

test('each message has one turn, one answer in history, and its answer has arrived', async () => {
  model.setScript(() => says('answered'))
  const worker = await world.startWorker()
  for (const person of PLACES) {
    await eventually(async () => (await arrivedFor(person)).length > 0, 60_000)
    expect(await handIn(person, 'the same again')).toMatchObject({ duplicate: true })
    expect(await turnsOf(person)).toEqual(['succeeded'])
    expect(await historyOf(person)).toEqual([
      ['user', `hello at ${person}`],
      ['assistant', 'answered'],
    ])
    // A repeat is told from a second message by its id.
    expect(new Set((await arrivedFor(person)).map(({ webhookId }) => webhookId)).size).toBe(1)
  }
  await worker.kill()
}, 150_000)

test('a turn that was cut off before it called a tool is begun again by the next worker', async () => {
  model.setScript([hangs(), says('second try')])
  const asked = model.requests.length
  await handIn('again', 'are you there?')
  const worker = await world.startWorker()
  await eventually(() => model.requests.length > asked, 60_000)
  await worker.kill()
  const next = await world.startWorker()
  await eventually(async () => (await arrivedFor('again')).length > 0, 60_000)
  expect((await arrivedFor('again')).map(({ text }) => text)).toEqual(['second try'])
  expect(await turnsOf('again')).toEqual(['succeeded'])
  expect(await historyOf('again')).toEqual([
    ['user', 'are you there?'],
    ['assistant', 'second try'],
  ])
  await next.kill()
}, 150_000)

test('one that had called a tool is closed visibly, on the platform too', async () => {
  const promised = calls('schedule_private_message', { send_at: 'in 2 hours', message_text: 'tea' })
  model.setScript([promised, hangs(), says('never asked')])
  const asked = model.requests.length
  await handIn('closed', 'remind me in two hours')
  const worker = await world.startWorker()
  await eventually(() => model.requests.length >= asked + 2, 60_000)
  await worker.kill()
  await world.startWorker()
  await eventually(async () => (await arrivedFor('closed')).length > 0, 60_000)
  expect((await arrivedFor('closed')).map(({ text }) => text)).toEqual([CLOSING_TEXTS.interrupted.en])
  const kept = { bots: 'all', sessionKey: keyOf('closed'), limit: 5 } as const
  expect(await world.product.parts.stores.scheduledMessages.list(kept)).toHaveLength(1)
}, 150_000)
