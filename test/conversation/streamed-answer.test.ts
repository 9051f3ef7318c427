import type { FastifyInstance } from 'fastify'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { saysSlowly, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { listen, SseClient } from '../support/sse-client'

const PIECES = ['The oven ', 'was switched off ', 'an hour ago, ', 'and it is ', 'cold by now.']

let model: ScriptedModel
let product: Product
let headers: Record<string, string>
const doors: { app: FastifyInstance; url: string }[] = []
beforeAll(async () => {
  model = await startScriptedModel(() => saysSlowly(PIECES, 40))
  const settings = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0' }
  product = await buildProduct(settings)
  const { botUuid, parts } = product
  const { key } = await parts.access.createApiKey(ADMIN, {
    name: 'Test',
    scopes: ['read', 'send'],
    botUuids: [botUuid],
  })
  headers = { 'x-api-key': key }
  for (const each of [parts, await product.another()]) {
    const app = await product.serve(each)
    doors.push({ app, url: await listen(app) })
  }
}, 90_000)
afterAll(async () => {
  for (const { app } of doors) await app.close()
  await product.close()
  await model.close()
}, 60_000)

test.each([
  ['the same front door', 0],
  ['another front door', 1],
] as const)(
  'on the stream of a session at %s, an answer comes word by word, and whole only after its last word',
  async (_where, door) => {
    const session = await product.session()
    const key = encodeURIComponent(session.sessionKey)
    const client = new SseClient(`${doors[door]!.url}/api/v1/sessions/${key}/events`, headers)
    await eventually(() => client.status === 200)
    const body = JSON.stringify({ message: 'is the oven off?', session_key: session.sessionKey })
    const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const answer = await fetch(`${doors[0]!.url}/api/ai/chat`, post)
    const { data } = (await answer.json()) as { data: { content: string; turn_id: string } }
    expect(data.content).toBe(PIECES.join(''))

    const isAnswer = ({ event, data: said }: SseClient['events'][number]) =>
      event === 'message' && (said as { role: string }).role === 'assistant'
    await eventually(() => client.events.some(isAnswer))
    const before = client.events.slice(0, client.events.findIndex(isAnswer))
    const deltas = before.filter(({ event }) => event === 'delta').map(({ data: said }) => said as Delta)
    expect(deltas.length).toBeGreaterThan(1)
    expect(deltas.map(({ text }) => text).join('')).toBe(data.content)
    expect(new Set(deltas.map(({ turn_id: turn }) => turn))).toEqual(new Set([data.turn_id]))
    await eventually(() => client.events.some(({ event, data: said }) => event === 'turn' && isEnd(said)))
    expect(client.events.filter(({ event }) => event === 'delta')).toHaveLength(deltas.length)
    await client.leave()
  },
  60_000,
)

interface Delta {
  turn_id: string
  text: string
}

const isEnd = (said: unknown) => (said as { state: string }).state === 'ended'
