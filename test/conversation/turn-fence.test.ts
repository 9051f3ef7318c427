import { v7 as uuidv7 } from 'uuid'
import { TURN_QUEUE_LIMIT } from '../../src/conversation/turn'
import type { NewMessage } from '../../src/conversation/message'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product

beforeAll(async () => {
  product = await buildProduct()
})
afterAll(() => product.close())

const input = { message: 'hello', senderId: 'someone', metadata: {} }
const answer: NewMessage = { role: 'assistant', senderId: 'bot', content: 'hi', sourceKind: 'chat' }

async function startTurn() {
  const session = await product.session()
  const { sessionKey } = session
  const { turns } = product.parts.stores
  const id = uuidv7()
  await turns.enqueue({ id, sessionKey, origin: 'user', holder: 'test', input })
  const claim = await turns.claim({ id, sessionKey, holder: 'test' })
  if (claim.state !== 'running') throw new Error(claim.state)
  return { session, sessionKey, turn: { turnId: id, fence: claim.fence } }
}

const countRows = async (sessionKey: string) => {
  const { rows } = await product.parts.database.pool.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM message_history WHERE session_key = $1) AS messages,
       (SELECT count(*) FROM tool_calls WHERE session_key = $1) AS tools,
       (SELECT count(*) FROM scheduled_messages WHERE session_id = $1) AS promises,
       (SELECT count(*) FROM session_events WHERE session_key = $1) AS events,
       (SELECT count(*) FROM scheduled_messages WHERE session_id = $1 AND status = 'cancelled') AS cancelled`,
    [sessionKey],
  )
  return rows[0]
}

test('a turn that was closed can write nothing more: no answer, no tool call, no promise, no cancel', async () => {
  const { session, sessionKey, turn } = await startTurn()
  const { stores, scheduledMessages } = product.parts
  const promise = { sendAt: 'in 1 hour', messageText: 'tea', replaceExisting: false, language: 'en' as const }
  await scheduledMessages.schedule(session, promise)
  await stores.turns.close(sessionKey, turn.turnId, 'interrupted')
  const before = await countRows(sessionKey)

  const call = { sessionKey, turn, callId: 'call_1', round: 1, name: 'list', arguments: {} }
  const lost = { code: 'turn_lost' }
  await expect(stores.turns.end(sessionKey, turn, { status: 'succeeded', message: answer })).rejects.toMatchObject(lost)
  await expect(stores.toolCalls.started(call)).rejects.toMatchObject(lost)
  await expect(scheduledMessages.schedule(session, { ...promise, turn })).rejects.toMatchObject(lost)
  await expect(scheduledMessages.cancel(sessionKey, { reason: 'cancelled', turn })).rejects.toMatchObject(lost)
  expect(await stores.turns.renew(turn.turnId, 'test')).toBe(false)
  expect(await countRows(sessionKey)).toEqual(before)
})

test('an answer whose commit was not heard of is stored once although it is written again', async () => {
  const { sessionKey, turn } = await startTurn()
  const { turns, messages } = product.parts.stores
  const first = await turns.end(sessionKey, turn, { status: 'succeeded', message: answer })
  const again = await turns.end(sessionKey, turn, { status: 'succeeded', message: answer })
  expect(again.id).toBe(first.id)
  const history = await messages.latest(sessionKey, { limit: 10 })
  expect(history.map(({ content }) => content)).toEqual(['hello', 'hi'])
})

test('a turn that has ended can write nothing more either', async () => {
  const { session, sessionKey, turn } = await startTurn()
  const { stores, scheduledMessages } = product.parts
  await stores.turns.end(sessionKey, turn, { status: 'succeeded', message: answer })
  const before = await countRows(sessionKey)
  const promise = { sendAt: 'in 1 hour', messageText: 'tea', replaceExisting: false, language: 'en' as const, turn }
  await expect(scheduledMessages.schedule(session, promise)).rejects.toMatchObject({ code: 'turn_lost' })
  expect(await countRows(sessionKey)).toEqual(before)
})

test.each(['its holder died', 'it waited too long'])(
  'a turn that only waits is closed without harm to the one that runs: %s',
  async (why) => {
    const { session, sessionKey, turn } = await startTurn()
    const { turns } = product.parts.stores
    const id = uuidv7()
    await turns.enqueue({ id, sessionKey, origin: 'user', holder: 'dead', input })
    if (why === 'it waited too long') await turns.close(sessionKey, id, 'waited_too_long')
    else {
      const { pool } = product.parts.database
      await pool.query(`UPDATE turns SET lease_until = now() - interval '1 second' WHERE id = $1`, [id])
      expect(await turns.closeExpired(100)).toBe(1)
    }
    const promise = { sendAt: 'in 1 hour', messageText: 'tea', replaceExisting: false, language: 'en' as const, turn }
    expect(await product.parts.scheduledMessages.schedule(session, promise)).toMatchObject({ ok: true })
    await turns.end(sessionKey, turn, { status: 'succeeded', message: answer })
    const said = await product.parts.stores.messages.latest(sessionKey, { limit: 10 })
    expect(said.map(({ sourceKind }) => sourceKind)).toEqual(['chat', 'chat', 'closing', 'chat'])
  },
)

test(`at most ${TURN_QUEUE_LIMIT} messages wait in a session; the next is refused at once and leaves no row`, async () => {
  const { session, sessionKey } = await startTurn()
  const { turns } = product.parts.stores
  for (let number = 0; number < TURN_QUEUE_LIMIT; number += 1) {
    await turns.enqueue({ id: uuidv7(), sessionKey, origin: 'user', holder: 'test', input })
  }
  const before = await countRows(sessionKey)
  const refused = product.parts.chat.send(session, { message: 'one more', senderId: 'someone' })
  await expect(refused).rejects.toMatchObject({ code: 'too_many_turns', status: 429 })
  expect(await countRows(sessionKey)).toEqual(before)
})

test('in an idle session a turn is queued, started and heard in one statement, and ended in one', async () => {
  const { sessionKey } = await product.session()
  const { turns, messages } = product.parts.stores
  const { pool } = product.parts.database
  const ask = jest.spyOn(pool, 'query')
  const open = jest.spyOn(pool, 'connect')
  const place = { id: uuidv7(), sessionKey, holder: 'test' }
  const claim = await turns.enqueue({ ...place, origin: 'user', input })
  if (claim.state !== 'running') throw new Error(claim.state)
  await turns.end(sessionKey, { turnId: place.id, fence: claim.fence }, { status: 'succeeded', message: answer })
  const asked = [ask.mock.calls.length, open.mock.calls.length - ask.mock.calls.length]
  ask.mockRestore()
  open.mockRestore()
  // Each takes a connection for itself, and no other one is opened for a transaction.
  expect(asked).toEqual([2, 0])
  expect((await messages.latest(sessionKey, { limit: 9 })).map(({ content }) => content)).toEqual(['hello', 'hi'])
  const { rows } = await pool.query<{ name: string; seq: number; state: string }>(
    `SELECT name, seq, data ->> 'state' AS state FROM session_events WHERE session_key = $1 ORDER BY seq`,
    [sessionKey],
  )
  expect(rows.map(({ name, state }) => state ?? name)).toEqual(['queued', 'started', 'message', 'message', 'ended'])
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
})

test('of turns that come at the same moment one starts at once and the others wait their turn', async () => {
  const { sessionKey } = await product.session()
  const { turns } = product.parts.stores
  const claims = await Promise.all(
    Array.from({ length: 20 }, () =>
      turns.enqueue({ id: uuidv7(), sessionKey, origin: 'user', holder: 'test', input }),
    ),
  )
  expect(claims.filter(({ state }) => state === 'running')).toHaveLength(1)
  expect(claims.filter(({ state }) => state === 'waiting')).toHaveLength(19)
})
