import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { endProcesses } from '../support/processes'
import { says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { eventually } from '../support/eventually'
import { SseClient } from '../support/sse-client'
import { openTwoFrontDoors } from './front-doors-fixture'

const COUNT = 50

let model: ScriptedModel
let product: Product

beforeAll(async () => {
  model = await startScriptedModel(({ body }) => says(`answer to ${body.messages.at(-1)?.content}`))
  product = await buildProduct({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' })
}, 120_000)

afterAll(async () => {
  await endProcesses()
  await product.close()
  await model.close()
})

test('50 messages sent at once to one session over two front doors are answered strictly in order', async () => {
  const { doors, key, chat } = await openTwoFrontDoors(product)
  const { sessionKey } = await product.session()
  const path = `/api/v1/sessions/${encodeURIComponent(sessionKey)}/events?from=start`
  const live = new SseClient(doors[1].url + path, { 'x-api-key': key })
  const words = Array.from({ length: COUNT }, (_, index) => `message ${index}`)
  const replies = await Promise.all(
    words.map((message, index) => chat(doors[index % 2]!, { message, session_key: sessionKey })),
  )
  expect(replies.map(({ status, content }) => [status, content])).toEqual(
    words.map((word) => [200, `answer to ${word}`]),
  )

  const { pool } = product.parts.database
  const queue = await pool.query<{ id: string; said: string; status: string }>(
    `SELECT id, input->>'message' AS said, status FROM turns WHERE session_key = $1 ORDER BY seq`,
    [sessionKey],
  )
  expect(queue.rows.map(({ said }) => said).toSorted()).toEqual(words.toSorted())
  expect(new Set(queue.rows.map(({ status }) => status))).toEqual(new Set(['succeeded']))

  const history = await product.parts.stores.messages.latest(sessionKey, { limit: 2 * COUNT + 10 })
  const expected = queue.rows.flatMap(({ id, said }) => [
    { turnId: id, role: 'user', content: said },
    { turnId: id, role: 'assistant', content: `answer to ${said}` },
  ])
  expect(history.map(({ turnId, role, content }) => ({ turnId, role, content }))).toEqual(expected)

  // Each turn's model was shown all that was said before it, and nothing that came after.
  // A summary of what leaves the window is asked for beside the turns, without tools.
  for (const { body } of model.requests.filter(({ body: { tools } }) => tools !== undefined)) {
    const shown = body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)
    const upTo = expected.findIndex(({ content }) => content === shown.at(-1)) + 1
    expect(shown).toEqual(expected.slice(Math.max(0, upTo - shown.length), upTo).map(({ content }) => content))
  }

  const events = await product.parts.stores.events.after(sessionKey, 0, 10 * COUNT)
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 5 * COUNT }, (_, index) => index + 1))
  const running = events.filter(({ name, data }) => name !== 'turn' || data['state'] !== 'queued')
  const story = running.map(({ name, data }) => [
    data['turn_id'],
    data['state'] ?? `${name} of ${JSON.stringify(data['role'])}`,
  ])
  expect(story).toEqual(
    queue.rows.flatMap(({ id }) =>
      ['started', 'message of "user"', 'message of "assistant"', 'ended'].map((state) => [id, state]),
    ),
  )
  await eventually(() => live.ids.length >= events.length)
  expect(live.ids).toEqual(events.map(({ seq }) => seq))
  await live.leave()
}, 120_000)
