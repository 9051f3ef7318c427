import { CLOSING_TEXTS } from '../../src/conversation/turn'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { endProcesses } from '../support/processes'
import { hangs, says, saysSlowly, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { openTwoFrontDoors } from './front-doors-fixture'

let model: ScriptedModel
let product: Product
let house: Awaited<ReturnType<typeof openTwoFrontDoors>>

beforeAll(async () => {
  model = await startScriptedModel()
  product = await buildProduct({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' })
  house = await openTwoFrontDoors(product)
}, 120_000)

afterAll(async () => {
  await endProcesses()
  await product.close()
  await model.close()
})

/** What waiting for thirty seconds would bring about. */
const endLeases = (sessionKey: string) =>
  product.parts.database.pool.query(
    `UPDATE turns SET lease_until = now() - interval '1 second' WHERE session_key = $1 AND status IN ('queued', 'running')`,
    [sessionKey],
  )

const history = async (sessionKey: string) =>
  (await product.parts.stores.messages.latest(sessionKey, { limit: 50 })).map(({ role, sourceKind, content }) => [
    role,
    sourceKind,
    content,
  ])

async function untilAsked(count: number): Promise<void> {
  await eventually(() => model.requests.length >= count)
}

// Before the kill below: it needs both front doors.
test('a front door that was paused in a turn and woke up late changes nothing', async () => {
  const [paused, other] = house.doors
  const { sessionKey } = await product.session()
  const asked = model.requests.length
  model.setScript([saysSlowly(['too ', 'late'], 500), says('I am here')])
  const late = house.chat(paused, { message: 'are you there?', session_key: sessionKey })
  await untilAsked(asked + 1)
  paused.signal('SIGSTOP')
  await endLeases(sessionKey)
  const answered = await house.chat(other, { message: 'anyone?', session_key: sessionKey })
  expect(answered).toMatchObject({ status: 200, content: 'I am here' })

  const before = await snapshot(sessionKey)
  paused.signal('SIGCONT')
  expect(await late).toMatchObject({ status: 409 })
  expect(await snapshot(sessionKey)).toEqual(before)
  expect(await history(sessionKey)).toEqual([
    ['user', 'chat', 'are you there?'],
    ['assistant', 'closing', CLOSING_TEXTS.interrupted.en],
    ['user', 'chat', 'anyone?'],
    ['assistant', 'chat', 'I am here'],
  ])
}, 60_000)

async function snapshot(sessionKey: string) {
  const { pool } = product.parts.database
  const read = async (table: string) =>
    (await pool.query<object>(`SELECT * FROM ${table} WHERE session_key = $1 ORDER BY 1, 2`, [sessionKey])).rows
  const [messages, turns, events, tools] = await Promise.all(
    ['message_history', 'turns', 'session_events', 'tool_calls'].map(read),
  )
  return { messages, turns, events, tools }
}

test('the turn of a killed front door is closed visibly and the next message is answered', async () => {
  const [doomed, other] = house.doors
  const { sessionKey } = await product.session()
  const asked = model.requests.length
  model.setScript([hangs('text'), says('第二个回答')])
  const lost = house.chat(doomed, { message: '第一个问题', session_key: sessionKey }).catch(() => 'connection lost')
  await untilAsked(asked + 1)
  await doomed.kill()
  expect(await lost).toBe('connection lost')
  const waiting = house.chat(other, { message: '第二个问题', session_key: sessionKey })
  await endLeases(sessionKey)
  expect(await waiting).toMatchObject({ status: 200, content: '第二个回答' })
  expect(await history(sessionKey)).toEqual([
    ['user', 'chat', '第一个问题'],
    ['assistant', 'closing', CLOSING_TEXTS.interrupted.zh],
    ['user', 'chat', '第二个问题'],
    ['assistant', 'chat', '第二个回答'],
  ])
}, 60_000)

test('the reconciler closes a dead turn in a session where nobody waits', async () => {
  const { sessionKey } = await product.session()
  const { turns } = product.parts.stores
  const input = { message: 'hello?', senderId: 'someone', metadata: {} }
  const id = '01900000-0000-7000-8000-000000000001'
  await turns.enqueue({ id, sessionKey, origin: 'user', holder: 'dead', input })
  await endLeases(sessionKey)
  expect(await product.parts.reconcile()).toMatchObject({ turnsClosed: 1 })
  expect(await history(sessionKey)).toEqual([
    ['user', 'chat', 'hello?'],
    ['assistant', 'closing', CLOSING_TEXTS.interrupted.en],
  ])
  expect(await product.parts.reconcile()).toMatchObject({ turnsClosed: 0 })
}, 60_000)
