import type { FastifyInstance } from 'fastify'
import { PLUGINS } from './run-fixture'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { listen, SseClient, until } from '../support/sse-client'

let product: Product
let app: FastifyInstance
let base: string
let key: string
let foreignKey: string

beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  await product.startWorker()
  app = await product.serve()
  base = await listen(app)
  key = await keyFor(product.botUuid)
  await product.parts.stores.bots.create({ uuid: 'other', name: 'Other' })
  foreignKey = await keyFor('other')
}, 60_000)
afterAll(async () => {
  await app.close()
  await product.close()
})

async function keyFor(botUuid: string): Promise<string> {
  const wanted = { name: 'test', scopes: ['read' as const, 'send' as const], botUuids: [botUuid] }
  return (await product.parts.access.createApiKey(ADMIN, wanted)).key
}

interface RunView {
  run_id: string
  session_key: string
  status: string
  workflow_id: string
  steps: { status: string; feedback_at: string | null; result: unknown }[]
}

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, as = key) =>
  app.inject({ method, url, headers: { 'x-api-key': as }, ...(payload ? { payload } : {}) })

async function create(steps: object[], more: object = {}): Promise<RunView> {
  const answer = await call('POST', '/api/v1/runs', { plan: { steps }, ...more })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ data: RunView }>().data
}

const show = async (id: string) => (await call('GET', `/api/v1/runs/${id}`)).json<{ data: RunView }>().data
const untilEnded = (id: string) => eventually(async () => (await show(id)).status !== 'running', 60_000)
const wait = (draftArgs: object) => ({ aiName: 'local__wait', draftArgs, reason: 'to see a kettle boil' })

test('a plan is run, and what came of it is shown when it is told and not before', async () => {
  const made = await create([wait({ ms: 1, schedule: 'in 10 seconds' })], { session_key: 'kettle', language: 'en' })
  expect(made).toMatchObject({ status: 'running', session_key: 'kettle', workflow_id: `run/${made.run_id}` })
  const finished = await eventually(async () => {
    const run = await show(made.run_id)
    return run.steps[0]?.status === 'finished' ? run : undefined
  })
  expect(finished.steps[0]).toMatchObject({ result: null, feedback_at: expect.any(String) as string })
  await untilEnded(made.run_id)
  expect(await show(made.run_id)).toMatchObject({
    status: 'succeeded',
    steps: [{ status: 'reported', result: { code: 'OK', data: { waited: 1 } } }],
  })
  const said = await call('GET', '/api/ai/messages?session_key=kettle')
  expect(said.json()).toMatchObject({ data: { messages: [{ content: 'wait is done: waited 1 ms' }] } })
}, 120_000)

test.each([
  [
    'en',
    [{ aiName: 'local__wait', draftArgs: { ms: 1 }, reason: 'to see a kettle boil' }],
    'wait is done: waited 1 ms',
  ],
  ['zh', [{ aiName: 'local__wait', draftArgs: { ms: 1 }, reason: '看看水开了没有' }], '「wait」完成了：waited 1 ms'],
])(
  'without a language of its own, the session is spoken to in the one of its plan: %s',
  async (name, steps, told) => {
    const { run_id: id } = await create(steps, { session_key: `plan-in-${name}` })
    await untilEnded(id)
    const said = await call('GET', `/api/ai/messages?session_key=plan-in-${name}`)
    expect(said.json()).toMatchObject({ data: { messages: [{ content: told }] } })
  },
  120_000,
)

test('events stream to the end, can be taken up again, and can be had as a list', async () => {
  const { run_id: id } = await create([wait({ ms: 4_000, schedule: 'in 1 second' })])
  const url = `${base}/api/v1/runs/${id}/events`
  const client = new SseClient(url, { 'x-api-key': key })
  await client.ended
  expect(client.events.map(({ event }) => event)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
  expect(client.ids).toEqual([1, 2, 3, 4])
  expect(client.events[2]?.data).toMatchObject({
    ...{ type: 'tool_result', run_id: id, seq: 3, stepIndex: 0, stepId: 'step-1', aiName: 'local__wait' },
    ...{ ts: expect.any(Number) as number, elapsedMs: expect.any(Number) as number },
    result: { success: true, code: 'OK', data: { waited: 4_000 }, error: null },
  })

  const resumed = new SseClient(url, { 'x-api-key': key, 'last-event-id': '2' })
  await resumed.ended
  expect(resumed.ids).toEqual([3, 4])
  const list = (await call('GET', `/api/v1/runs/${id}/events?format=json`)).json<{ data: { events: object[] } }>()
  expect(list.data.events).toEqual(client.events.map(({ data }) => data))
  const rest = await call('GET', `/api/v1/runs/${id}/events?format=json&last_event_id=3`)
  expect(rest.json<{ data: { events: object[] } }>().data.events).toHaveLength(1)
}, 120_000)

test('a stream that was cut goes on where it was', async () => {
  const { run_id: id } = await create([wait({ ms: 6_000, schedule: 'in 1 second' })])
  const url = `${base}/api/v1/runs/${id}/events`
  const first = new SseClient(url, { 'x-api-key': key })
  await until(() => first.ids.length >= 1, 30_000)
  await first.leave()
  const second = new SseClient(url, { 'x-api-key': key, 'last-event-id': String(first.ids.at(-1)) })
  await second.ended
  expect([...first.ids, ...second.ids]).toEqual([1, 2, 3, 4])
}, 120_000)

test('a run is cancelled once, and is among the promises all the while', async () => {
  const made = await create([wait({ ms: 60_000, schedule: 'in 50 seconds' })], { session_key: 'promises' })
  const list = async () => {
    const answer = await call('GET', '/api/v1/promises?session_key=promises')
    return answer.json<{ data: { promises: { kind: string; id: string; state: string }[] } }>().data.promises
  }
  const pending = await eventually(async () => ((await list()).length > 0 ? list() : undefined), 60_000)
  expect(pending).toMatchObject([
    {
      ...{ kind: 'run', id: made.run_id, state: 'pending', summary: 'to see a kettle boil', late_by_ms: null },
      ...{ bot_uuid: product.botUuid, session_key: 'promises', workflow_id: `run/${made.run_id}` },
    },
  ])
  expect((await call('DELETE', `/api/v1/runs/${made.run_id}`, undefined, foreignKey)).statusCode).toBe(404)
  const cancelled = await call('DELETE', `/api/v1/runs/${made.run_id}`)
  expect(cancelled.json()).toMatchObject({ data: { cancelled: true, run: { status: 'cancelled' } } })
  expect((await call('DELETE', `/api/v1/runs/${made.run_id}`)).json()).toMatchObject({ data: { cancelled: false } })
  expect(await list()).toMatchObject([{ id: made.run_id, state: 'cancelled' }])
}, 120_000)

test('a run of another bot is as good as absent', async () => {
  const { run_id: id } = await create([wait({ ms: 1 })])
  for (const url of [`/api/v1/runs/${id}`, `/api/v1/runs/${id}/events`, `/api/v1/runs/${id}/events?format=json`]) {
    const answer = await call('GET', url, undefined, foreignKey)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ error: { code: 'not_found' } })
  }
  const promises = await call('GET', '/api/v1/promises', undefined, foreignKey)
  expect(promises.json()).toMatchObject({ data: { promises: [], count: 0 } })
  expect((await call('GET', '/api/v1/runs/0190a000-0000-7000-8000-000000000001')).statusCode).toBe(404)
}, 60_000)

test.each([
  ['no steps', [], undefined],
  ['too many steps', Array.from({ length: 21 }, () => wait({ ms: 1 })), undefined],
  ['a step that depends on a later one', [{ ...wait({ ms: 1 }), dependsOn: [1] }, wait({ ms: 1 })], 'bad_plan'],
  ['a step that depends on itself', [{ ...wait({ ms: 1 }), dependsOn: [0] }], 'bad_plan'],
  ['an unknown tool', [{ aiName: 'local__nothing' }], 'unknown_tool'],
])('a plan with %s is refused, and nothing is kept', async (_name, steps, code) => {
  const before = await product.parts.database.pool.query('SELECT 1 FROM runs')
  const answer = await call('POST', '/api/v1/runs', { plan: { steps } })
  expect(answer.statusCode).toBe(400)
  if (code) expect(answer.json()).toMatchObject({ error: { code } })
  expect((await product.parts.database.pool.query('SELECT 1 FROM runs')).rowCount).toBe(before.rowCount)
})
