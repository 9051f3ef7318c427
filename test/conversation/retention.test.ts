import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRetention } from '../../src/conversation/retention'
import { createHistoryStore } from '../../src/conversation/sql/history'
import { createDatabase } from '../../src/engine/database'
import type { Database } from '../../src/engine/database'
import { createTestDatabase } from '../support/services'

let database: Database
let drop: () => Promise<unknown>
let folder: string

beforeEach(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  database = createDatabase(made.url, 3)
  folder = await mkdtemp(path.join(tmpdir(), 'punctual-archive-'))
  // Thirty messages, one a day, the newest from today.
  await database.pool.query(
    `INSERT INTO message_history (bot_uuid, launcher_type, launcher_id, sender_id, message_role, message_content,
       message_chain, session_key, source_kind, metadata, created_at)
     SELECT 'bot', 'person', 'mia', 'mia', 'user', '第' || n || '天', '[]', 's', 'chat', jsonb_build_object('n', n),
       now() - make_interval(days => n) FROM generate_series(29, 0, -1) n`,
  )
})

afterEach(async () => {
  await database.close()
  await drop()
  await rm(folder, { recursive: true })
})

const history = () => createHistoryStore(database, [])
const retention = (more: { days?: number; crashPoint?: (name: string) => void; batch?: number } = {}) =>
  createRetention({ history: history(), days: 10, folder, crashPoint: () => undefined, batch: 4, ...more })
async function left(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*) AS count FROM message_history')
  return rows[0]!.count
}
interface Line {
  id: number
  message_content: string
  metadata: { n: number }
}
async function archived(): Promise<Line[]> {
  const files = (await readdir(folder)).sort()
  expect(files.filter((file) => !file.endsWith('.jsonl'))).toEqual([])
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as Line)
}

test('what is older than the given days is moved into files of JSON lines, with every column', async () => {
  const beats = jest.fn()
  expect(await retention()(beats)).toBe(20)
  expect(beats.mock.calls.length).toBe(5)
  expect(await left()).toBe(10)
  const lines = await archived()
  expect(lines.map(({ metadata }) => metadata.n).sort((a, b) => b - a)).toEqual(
    Array.from({ length: 20 }, (_, i) => 29 - i),
  )
  expect(lines.find(({ metadata }) => metadata.n === 20)).toMatchObject({
    ...{ message_content: '第20天', bot_uuid: 'bot', launcher_id: 'mia', session_key: 's', source_kind: 'chat' },
  })
})

test('a crash after the file is written loses nothing, and the next pass leaves each message once', async () => {
  const dying = retention({
    crashPoint: () => {
      throw new Error('killed')
    },
  })
  await expect(dying(() => undefined)).rejects.toThrow('killed')
  expect(await left()).toBe(30)
  expect(await retention()(() => undefined)).toBe(20)
  const ids = (await archived()).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a folder that cannot be written to deletes nothing', async () => {
  const nowhere = createRetention({
    history: history(),
    days: 10,
    folder: '/dev/null/archive',
    crashPoint: () => undefined,
  })
  await expect(nowhere(() => undefined)).rejects.toThrow()
  expect(await left()).toBe(30)
})

test('without a number of days everything stays', async () => {
  expect(await retention({ days: undefined })(() => undefined)).toBe(0)
  expect(await left()).toBe(30)
})

test('a conversation whose messages are archived is still known as inactive', async () => {
  await database.pool.query(`UPDATE message_history SET created_at = created_at - interval '60 days'`)
  await database.pool.query(`UPDATE conversations SET last_message_at = last_message_at - interval '60 days'`)
  expect(await retention()(() => undefined)).toBe(30)
  expect(await history().inactive({ bots: 'all', inactiveHours: 24, limit: 10 })).toMatchObject([{ launcherId: 'mia' }])
})
