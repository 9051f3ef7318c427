import type { FastifyInstance } from 'fastify'
import { PLUGINS } from '../runs/run-fixture'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product
let app: FastifyInstance
let key: string
let foreignKey: string

beforeAll(async () => {
  product = await buildProduct({ ...PLUGINS, TEMPORAL_UI_URL: 'http://127.0.0.1:8233' })
  // Rows of every state are written by hand here.
  product.guard.expectLooseRows('scheduled_message')
  await product.startWorker()
  app = await product.serve()
  await product.parts.stores.bots.create({ uuid: 'other', name: 'Other' })
  key = await keyFor(product.botUuid)
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
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, as = key) =>
  app.inject({ method, url, headers: { 'x-api-key': as }, ...(payload ? { payload } : {}) })
const read = async <T>(url: string, as = key) => (await call('GET', url, undefined, as)).json<{ data: T }>().data

test('about says what answers and where the workflows can be seen', async () => {
  expect(await read('/api/v1/about')).toMatchObject({
    ...{ temporal_ui_url: 'http://127.0.0.1:8233', temporal_namespace: product.namespace },
  })
})

test('what the model called is shown with its turn, and to nobody else', async () => {
  const said = await call('POST', '/api/ai/chat', {
    message: 'remind me in 20 minutes to breathe',
    session_key: 'calls',
  })
  const { turn_id: turn } = said.json<{ data: { turn_id: string } }>().data
  const url = '/api/v1/sessions/calls/tool-calls'
  const found = await read<{ tool_calls: object[] }>(url)
  expect(found.tool_calls).toMatchObject([
    {
      turn_id: turn,
      name: 'schedule_private_message',
      arguments: { message_text: 'Reminder: breathe' },
    },
  ])
  expect(await read(`${url}?turn_id=${turn}`)).toEqual(found)
  expect(await read(`${url}?turn_id=0190a000-0000-7000-8000-000000000009`)).toMatchObject({ count: 0 })
  expect((await call('GET', url, undefined, foreignKey)).statusCode).toBe(404)
})

test('runs are listed, the newest first, with their steps; those of another bot are not', async () => {
  const steps = [{ aiName: 'local__wait', draftArgs: { ms: 1 } }]
  for (const session of ['first', 'second']) {
    const made = await call('POST', '/api/v1/runs', { session_key: session, plan: { steps } })
    expect(made.statusCode).toBe(201)
  }
  type List = { runs: { session_key: string; status: string; steps: object[] }[] }
  const sessionsOf = ({ runs }: List) => runs.map(({ session_key: session }) => session)
  expect(sessionsOf(await read<List>('/api/v1/runs'))).toEqual(['second', 'first'])
  const [first] = (await read<List>('/api/v1/runs?session_key=first')).runs
  expect(first?.steps).toHaveLength(1)
  await eventually(async () => sessionsOf(await read<List>('/api/v1/runs?status=succeeded')).length === 2, 60_000)
  expect(await read('/api/v1/runs', foreignKey)).toMatchObject({ count: 0 })
})

test('how promises were kept is counted over all that fell due', async () => {
  const { pool } = product.parts.database
  const make = (status: string, dueAgo: string, late: number | null) =>
    pool.query(
      `INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone,
         status, replace_existing, late_by_ms, sent_message_id)
       VALUES (gen_random_uuid(), 'kept', $1, 'webhook', 'private', 'x', now() - $2::interval, 'UTC', $3::text, false, $4,
         CASE WHEN $3::text = 'sent' THEN 1 END)`,
      [product.botUuid, dueAgo, status, late],
    )
  await make('sent', '1 hour', 40)
  await make('sent', '2 hours', 1_000)
  await make('sent', '3 hours', 5_000)
  await make('failed', '4 hours', null)
  await make('pending', '5 minutes', null)
  await make('cancelled', '1 hour', null)
  await make('sent', '25 hours', 60_000)
  const counted = { due: 5, kept: 3, on_time: 2, failed: 1, overdue: 1, cancelled: 1 }
  expect(await read('/api/v1/promises/kept?session_key=kept')).toMatchObject({
    ...{ ...counted, on_time_within_ms: 1_000, median_late_ms: 1_000, worst_late_ms: 5_000 },
  })
  expect(await read('/api/v1/promises/kept?session_key=kept&hours=48')).toMatchObject({ due: 6, worst_late_ms: 60_000 })
  expect(await read('/api/v1/promises/kept?session_key=kept', foreignKey)).toMatchObject({
    due: 0,
    median_late_ms: null,
  })
  type List = { promises: { due_at: string }[] }
  const newest = (await read<List>('/api/v1/promises?session_key=kept&order=desc')).promises.map(
    ({ due_at: due }) => due,
  )
  expect(newest).toEqual([...newest].sort().reverse())
})
