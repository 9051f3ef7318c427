import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let keys: Record<'a' | 'ab' | 'all', string>

beforeAll(async () => {
  house = await buildAppFixture()
  for (const bot of ['bot-a', 'bot-b', 'bot-c']) await house.addBot(bot)
  app = await buildApp(house)
  keys = {
    a: (await house.addKey('send', 'bot-a')).key,
    ab: (await house.addKey('send', 'bot-a', 'bot-b')).key,
    all: (await house.addKey('send')).key,
  }
  // Thirty minutes, one message each: bots, people, pipelines and roles take turns.
  await house.database.pool.query(
    `INSERT INTO message_history (bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
       message_content, message_chain, session_key, source_kind, created_at)
     SELECT 'bot-' || substr('abc', 1 + n % 3, 1), CASE WHEN n % 2 = 0 THEN 'assistant' ELSE 'tasks' END,
       CASE WHEN n % 5 = 0 THEN 'group' ELSE 'person' END, 'l' || n % 4, 's' || n % 7, 'user', n::text, '[]', 's', 'chat',
       timestamptz '2026-01-01T00:00:00Z' + make_interval(mins => n) FROM generate_series(0, 29) n ORDER BY n`,
  )
})

afterAll(async () => {
  await app.close()
  await house.close()
})

type Who = keyof typeof keys
async function get(query: string, who: Who = 'all', path = '') {
  const answer = await app.inject({
    url: `/api/v1/messages/history${path}?${query}`,
    headers: { 'x-api-key': keys[who] },
  })
  return { status: answer.statusCode, ...answer.json<{ message: string; data: Data; error?: { code: string } }>() }
}
interface Data {
  messages: { id: number; message_content: string }[]
  conversations: { bot_uuid: string; launcher_id: string }[]
  count: number
}
const numbers = async (query: string, who?: Who) =>
  (await get(query, who)).data.messages.map(({ message_content: text }) => Number(text))
const upTo = (limit: number, holds: (n: number) => boolean) => Array.from({ length: limit }, (_, n) => n).filter(holds)

test('filters combine: every message in the answer meets all of them, and none is missing', async () => {
  const filters: [string, (n: number) => boolean][] = [
    ['bot_uuid=bot-a', (n) => n % 3 === 0],
    ['launcher_type=person', (n) => n % 5 !== 0],
    ['launcher_id=l2', (n) => n % 4 === 2],
    ['sender_id=s3', (n) => n % 7 === 3],
    ['pipeline_uuid=tasks', (n) => n % 2 === 1],
    ['since=2026-01-01T00:10:00Z', (n) => n >= 10],
  ]
  for (let chosen = 0; chosen < 2 ** filters.length; chosen++) {
    const used = filters.filter((_, index) => chosen & (1 << index))
    const expected = upTo(30, (n) => used.every(([, holds]) => holds(n))).reverse()
    expect(await numbers(used.map(([text]) => text).join('&'))).toEqual(expected)
  }
})

test('newest first, or the order they were said in', async () => {
  expect(await numbers('bot_uuid=bot-b&limit=3')).toEqual([28, 25, 22])
  expect(await numbers('bot_uuid=bot-b&limit=3&order=asc')).toEqual([1, 4, 7])
})

test('a key of two bots reads both merged, and nothing of the third', async () => {
  const expected = upTo(30, (n) => n % 3 !== 2).reverse()
  expect(await numbers('', 'ab')).toEqual(expected)
  expect(await numbers('limit=4&offset=6', 'ab')).toEqual(expected.slice(6, 10))
  expect(await numbers('bot_uuid=bot-c', 'ab')).toEqual([])
  expect(await numbers('bot_uuid=bot-b', 'a')).toEqual([])
  expect((await get('inactive_hours=1&bot_uuid=bot-c', 'ab', '/inactive')).data.conversations).toEqual([])
})

test('offset and cursor turn the same pages', async () => {
  const all = upTo(30, () => true).reverse()
  const byCursor: number[] = []
  for (let before = ''; ;) {
    const { messages } = (await get(`limit=7${before}`)).data
    if (messages.length === 0) break
    byCursor.push(...messages.map(({ message_content: text }) => Number(text)))
    before = `&before_id=${messages.at(-1)!.id}`
  }
  expect(byCursor).toEqual(all)
  expect(await numbers('limit=7&offset=14')).toEqual(all.slice(14, 21))
  expect(await numbers('offset=1000000')).toEqual([])
})

test('a cursor whose message is gone still turns the page', async () => {
  const { messages } = (await get('limit=10')).data
  const cursor = messages[4]!.id
  const rest = await numbers(`before_id=${cursor}`)
  await house.database.pool.query('DELETE FROM message_history WHERE id = $1', [cursor])
  expect(await numbers(`before_id=${cursor}`)).toEqual(rest)
  await house.database.pool.query(
    `INSERT INTO message_history SELECT (jsonb_populate_record(m, jsonb_build_object('id', $1::int, 'message_content', '25',
       'created_at', '2026-01-01T00:25:00Z', 'bot_uuid', 'bot-b', 'launcher_type', 'group', 'launcher_id', 'l1',
       'sender_id', 's4', 'pipeline_uuid', 'tasks'))).* FROM message_history m LIMIT 1`,
    [cursor],
  )
  expect(await numbers('')).toEqual(upTo(30, () => true).reverse())
})

test('limits are capped, not refused', async () => {
  expect((await get('limit=100000')).status).toBe(200)
  expect((await get('limit=100000&inactive_hours=1', 'all', '/inactive')).status).toBe(200)
  expect((await get('limit=0')).status).toBe(400)
  expect((await get('offset=-1')).status).toBe(400)
})

test.each([
  ['an instant in UTC', '2026-01-01T00:20:00Z', 10],
  ['a zone is honoured', '2026-01-01T08:20:00%2B08:00', 10],
  ['a plus that was not encoded', '2026-01-01T08:20:00+08:00', 10],
  ['a zone to the west', '2025-12-31T19:20:00-05:00', 10],
  ['without a zone it is UTC', '2026-01-01T00:20:00', 10],
  ["microseconds, as Python's isoformat writes them", '2026-01-01T00:19:59.999999', 10],
  ['a blank for the T', '2026-01-01%2000:20:00', 10],
  ['a day', '2026-01-01', 30],
  ['basic format', '20260101T002000Z', 10],
  ['a week date', '2026-W01-4T00:20Z', 10],
  ['a day of the year', '2026-001T00:20Z', 10],
])('since: %s', async (_name, since, count) => {
  expect((await get(`since=${since}`)).data.count).toBe(count)
})

test.each(['yesterday', '2026-13-01', '2026-02-30', '', '99999', "1' OR '1'='1", '2026-01-01T25:00:00'])(
  'since %s is refused, and the answer says so',
  async (since) => {
    const answer = await get(`since=${encodeURIComponent(since)}`)
    expect(answer).toMatchObject({
      status: 400,
      message: 'since is no ISO time',
      data: null,
      error: { code: 'bad_time' },
    })
  },
)

test('a conversation is inactive by its last message, whoever said it; those heard of last come first', async () => {
  const { data } = await get('inactive_hours=24&bot_uuid=bot-a', 'a', '/inactive')
  expect(data.count).toBe(data.conversations.length)
  const { rows } = await house.database.pool.query<{ launcherId: string; launcherType: string }>(
    `SELECT launcher_type, launcher_id FROM message_history WHERE bot_uuid = 'bot-a'
     GROUP BY launcher_type, launcher_id ORDER BY max(created_at) DESC`,
  )
  const expected = rows.map((row) => ({ launcher_id: row.launcherId, launcher_type: row.launcherType }))
  expect(data.conversations).toMatchObject(expected)
  expect((await get('inactive_hours=1000000', 'a', '/inactive')).data.count).toBe(0)
  expect((await get('inactive_hours=-1', 'a', '/inactive')).status).toBe(400)
})

test('deleting touches neither another bot nor another conversation, and the conversation is no longer known', async () => {
  const remove = (bot_uuid: string, who: Who) =>
    app.inject({
      method: 'DELETE',
      url: '/api/v1/messages/history/delete',
      headers: { 'x-api-key': keys[who] },
      payload: { bot_uuid, launcher_type: 'person', launcher_id: 'l1' },
    })
  const foreign = await remove('bot-b', 'a')
  expect(foreign.statusCode).toBe(404)
  const before = await numbers('')
  const gone = upTo(30, (n) => n % 3 === 0 && n % 5 !== 0 && n % 4 === 1)
  expect((await remove('bot-a', 'a')).json()).toMatchObject({ data: { deleted_count: gone.length } })
  expect(await numbers('')).toEqual(before.filter((n) => !gone.includes(n)))
  const { data } = await get('inactive_hours=1&bot_uuid=bot-a', 'a', '/inactive')
  expect(data.conversations.map(({ launcher_id: id }) => id).sort()).toEqual(['l0', 'l0', 'l2', 'l3', 'l3'])
})
