import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { endProcesses } from '../support/processes'
import { says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { SseClient } from '../support/sse-client'
import { openTwoFrontDoors } from '../conversation/front-doors-fixture'

let model: ScriptedModel
let product: Product

beforeAll(async () => {
  model = await startScriptedModel(() => says('yes'))
  product = await buildProduct({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' })
}, 120_000)

afterAll(async () => {
  await endProcesses()
  await product.close()
  await model.close()
})

/** Ends the connections that listen, as a network or an operator would; answers how many there were. */
async function cutListeners(): Promise<number> {
  const { rowCount } = await product.parts.database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND (query LIKE 'LISTEN punctual_session%' OR query = 'SELECT 1')`,
  )
  return rowCount ?? 0
}

test('who watches a session misses nothing although every listening connection is cut again and again', async () => {
  const { doors, key, chat } = await openTwoFrontDoors(product)
  const { sessionKey } = await product.session()
  const path = `/api/v1/sessions/${encodeURIComponent(sessionKey)}/events?from=start`
  const watchers = doors.map((door) => new SseClient(door.url + path, { 'x-api-key': key }))
  let cut = 0
  for (let round = 0; round < 4; round += 1) {
    const messages = Array.from({ length: 5 }, (_, index) => `round ${round}, message ${index}`)
    const replies = messages.map((message, index) => chat(doors[index % 2]!, { message, session_key: sessionKey }))
    cut += await cutListeners()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(messages.map(() => 200))
  }
  expect(cut).toBeGreaterThanOrEqual(4)
  const events = await product.parts.stores.events.after(sessionKey, 0, 500)
  expect(events).toHaveLength(4 * 5 * 5)
  for (const watcher of watchers) {
    await eventually(() => watcher.ids.length >= events.length)
    expect(watcher.ids).toEqual(events.map(({ seq }) => seq))
    await watcher.leave()
  }
}, 120_000)

test('a watcher is woken after a cut, for what it may have missed', async () => {
  const { sessionKey } = await product.session()
  let woken = 0
  const unsubscribe = product.parts.live.subscribe(sessionKey, { onWake: () => (woken += 1) })
  await cutListeners()
  await eventually(() => woken > 0)
  unsubscribe()
})

test('words that grow when they are written as JSON still arrive whole', async () => {
  const { live } = product.parts
  const key = 'k'.repeat(512)
  let heard = ''
  const leave = live.subscribe(key, { onWake: () => undefined, onDelta: ({ text }) => void (heard += text) })
  const said = '\u0001'.repeat(1_500) + '\u{1F600}'.repeat(2_000)
  live.publishDelta(key, { turn_id: 't', text: said })
  await live.flushDeltas()
  await eventually(() => heard.length >= said.length)
  expect(heard).toBe(said)
  leave()
})
