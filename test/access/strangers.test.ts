import type { Session } from '../../src/conversation/session'
import { buildChannelFixture } from '../channels/channel-fixture'
import type { ChannelFixture } from '../channels/channel-fixture'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { privateChat, startTelegramServer, TOKEN } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'

let world: ChannelFixture
let telegram: TelegramServer
let keys: { admin: string; send: string }

beforeAll(async () => {
  telegram = await startTelegramServer()
  world = await buildChannelFixture({ PUNCTUAL_TURNS_PER_PERSON: '8' })
  const { parts, botUuid } = world.product
  await parts.botPlatforms.set(ADMIN, botUuid, 'telegram', { token: TOKEN, api_root: telegram.url })
  await eventually(async () => (await parts.botPlatforms.get(ADMIN, botUuid, 'telegram')).health === 'ok', 30_000)
  const make = async (scope: 'admin' | 'send') =>
    (await parts.access.createApiKey(ADMIN, { name: scope, scopes: [scope], botUuids: [] })).key
  keys = { admin: await make('admin'), send: await make('send') }
}, 90_000)
afterAll(async () => {
  await world.close()
  await telegram.close()
}, 60_000)
beforeEach(() => {
  world.model.setScript(() => says('hello'))
  world.model.requests.length = 0
})
afterEach(() => change({ allow: 'everyone', people: [], daily_tokens: null, daily_tokens_per_person: null }))

async function ask(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, key = keys.admin) {
  const answer = await world.app.inject({ method, url, payload, headers: { 'x-api-key': key } })
  const { data, error, message } = answer.json<{
    data: Record<string, unknown>
    message: string
    error?: { code: string; details?: { resets_at: string } }
  }>()
  return { status: answer.statusCode, headers: answer.headers, data, error, message }
}

const change = async (body: object) => {
  const answer = await ask('PATCH', `/api/v1/bots/${world.product.botUuid}`, body)
  expect(answer.status).toBe(200)
  return answer.data
}
const chat = (senderId: string, more: object = {}, key = keys.send) =>
  ask('POST', '/api/ai/chat', { message: 'hi', sender_id: senderId, session_key: `chat-${senderId}`, ...more }, key)
const say = (id: number, text: string) =>
  telegram.say({ text, chat: { ...privateChat, id }, from: { id, is_bot: false, first_name: 'P' } })
const textsTo = (chatId: number) => telegram.sent(chatId).map(({ fields }) => fields['text'])
const toolsShown = () => world.model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name) ?? []

test('a closed bot answers only the people that are listed, and says so to the others without asking a model', async () => {
  await change({ allow: 'listed', people: ['telegram:77'] })
  say(88, 'let me in')
  await eventually(() => textsTo(88).length === 1, 30_000)
  expect(textsTo(88)[0]).toContain('invited')
  expect(world.model.requests).toHaveLength(0)
  say(77, 'hi')
  await eventually(() => textsTo(77).includes('hello'), 30_000)
})

test('strangers on a public platform are not offered plugins unless the pipeline says so', async () => {
  say(99, 'hi')
  await eventually(() => textsTo(99).includes('hello'), 30_000)
  expect(toolsShown().filter((name) => name.includes('__'))).toEqual([])
  expect(toolsShown()).toContain('schedule_private_message')

  await change({ people: ['99'] })
  say(99, 'hi again')
  await eventually(() => textsTo(99).length === 2, 30_000)
  expect(toolsShown()).toContain('local__image_draw')

  await ask('POST', '/api/v1/pipelines', { uuid: 'open', name: 'Open', tools_for_strangers: true })
  await change({ people: [], pipeline_uuid: 'open' })
  say(99, 'hi again')
  await eventually(() => textsTo(99).length === 3, 30_000)
  expect(toolsShown()).toContain('local__image_draw')
  await change({ pipeline_uuid: 'assistant' })
})

test('a caller cannot lift what the pipeline of a bot leaves out by naming another', async () => {
  await ask('POST', '/api/v1/pipelines', { uuid: 'narrow', name: 'Narrow', tools: ['schedule_private_message'] })
  await change({ pipeline_uuid: 'narrow' })
  const lifted = await chat('eve', { pipeline_uuid: 'assistant' })
  expect([lifted.status, lifted.error?.code]).toEqual([403, 'pipeline_not_allowed'])
  expect((await chat('eve')).status).toBe(200)
  expect(toolsShown()).toEqual(['schedule_private_message'])
  expect((await chat('eve', { pipeline_uuid: 'assistant' }, keys.admin)).status).toBe(200)
  await change({ pipeline_uuid: 'assistant' })
  expect((await chat('ed', { pipeline_uuid: 'narrow' })).status).toBe(200)
})

test('a person who writes too fast is told when to come back, others are not', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => chat('fast')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ error: { code: 'too_many_turns' } })
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await chat('slow')).status).toBe(200)
})

describe('budgets', () => {
  const usageStep = (prompt: number, completion: number) => ({
    kind: 'chunks' as const,
    chunks: [
      { choices: [{ delta: { content: 'paid' }, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: { cached_tokens: 5 } },
      },
    ],
  })

  test('usage of every call is in the ledger, and a person over budget is answered with the time it resets', async () => {
    world.model.setScript(() => usageStep(60, 40))
    await change({ daily_tokens_per_person: 150 })
    expect((await chat('mia')).status).toBe(200)
    expect((await chat('mia')).status).toBe(200)
    const before = world.model.requests.length
    const over = await chat('mia')
    expect([over.status, over.error?.code]).toEqual([429, 'budget_exhausted'])
    expect(Date.parse(over.error?.details?.resets_at ?? '')).toBeGreaterThan(Date.now())
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    expect(world.model.requests).toHaveLength(before)
    expect((await chat('ann')).status).toBe(200)

    const { rows } = await world.product.parts.database.pool.query<Record<string, unknown>>(
      `SELECT person, prompt_tokens, completion_tokens, cached_tokens, purpose, estimated FROM model_usage
       WHERE person = 'web:mia' ORDER BY id`,
    )
    const call = { promptTokens: 60, completionTokens: 40, cachedTokens: 5, purpose: 'chat', estimated: false }
    expect(rows).toEqual([
      { person: 'web:mia', ...call },
      { person: 'web:mia', ...call },
    ])
    const { data } = await ask('GET', `/api/v1/usage?bot_uuid=${world.product.botUuid}`)
    expect(data['usage']).toEqual(
      expect.arrayContaining([expect.objectContaining({ purpose: 'chat', model: expect.any(String) as string })]),
    )
  })

  test('a server that says nothing of usage is counted by length, and marked so', async () => {
    expect((await chat('quiet')).status).toBe(200)
    const { rows } = await world.product.parts.database.pool.query<{ estimated: boolean; tokens: number }>(
      `SELECT estimated, prompt_tokens + completion_tokens AS tokens FROM model_usage WHERE person = 'web:quiet'`,
    )
    expect(rows).toEqual([{ estimated: true, tokens: expect.any(Number) as number }])
    expect(rows[0]!.tokens).toBeGreaterThan(100)
  })

  test('a server that refuses to be asked for usage is not asked again', async () => {
    const refusal = { error: { message: 'unknown field stream_options' } }
    const asked: boolean[] = []
    world.model.setScript(({ body }) => {
      asked.push('stream_options' in body)
      return 'stream_options' in body ? { kind: 'status', status: 400, body: refusal } : says('fine')
    })
    const { parts } = world.product
    const fresh = await world.product.another()
    const session = await parts.sessions.resolve(ADMIN, { botUuid: world.product.botUuid, launcherId: 'old-server' })
    const say = () => fresh.chat.send(session, { message: 'hi', senderId: 'old-server' })
    expect((await say()).content).toBe('fine')
    expect((await say()).content).toBe('fine')
    expect(asked).toEqual([true, false, false])
  })

  test('an automation whose bot is over budget pauses visibly, asks no model, and goes on with the new day', async () => {
    const { parts, botUuid } = world.product
    const session: Session = await parts.sessions.resolve(ADMIN, { botUuid, launcherId: 'bud', language: 'en' })
    const added = await parts.automations.add(session, {
      message: 'look',
      name: 'look',
      everySeconds: 3_600,
      language: 'en',
    })
    if (!added.ok) throw new Error(added.hint)
    const { id } = added.view.automation
    await parts.stores.usage.record({
      ...{ botUuid, purpose: 'chat', model: 'm', promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 0 },
      estimated: false,
    })
    await change({ daily_tokens: 1_000 })
    const slot = new Date()
    const queued = await parts.stores.automations.queue({
      ...{ automationId: id, sessionKey: session.sessionKey, slot, startedAt: slot },
      ...{ workflowId: `automation-run/${id}-test`, nextRunAt: new Date(Date.now() + 3_600_000) },
    })
    if (!('runId' in queued)) throw new Error(queued.state)
    const before = world.model.requests.length
    expect(await parts.runAutomationTurn(queued.runId, new AbortController().signal)).toBe('failed')
    expect(world.model.requests).toHaveLength(before)
    expect((await parts.automations.find(id))?.automation).toMatchObject({ state: 'auto_paused' })
    const said = await parts.stores.messages.latest(session.sessionKey, { limit: 10 })
    expect(said.at(-1)?.content).toContain('used up')

    await change({ daily_tokens: null })
    await parts.database.pool.query(`UPDATE automations SET resume_at = now() WHERE id = $1`, [id])
    await parts.reconcile()
    expect((await parts.automations.find(id))?.automation).toMatchObject({ state: 'active' })
    await parts.automations.remove(id, { reason: 'test' })
  })
})
