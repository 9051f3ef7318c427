import { v7 as uuidv7 } from 'uuid'
import { createDatabase } from '../../src/engine/database'
import type { Database } from '../../src/engine/database'
import { createStores } from '../../src/build/storage'
import { createTestDatabase } from '../support/services'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  database = createDatabase(made.url, 2)
})
afterAll(async () => {
  await database.close()
  await drop()
})

/** One row of each kind that old, over or still open. */
async function fill(daysOld: number, open: boolean): Promise<void> {
  const { pool } = database
  const [turn, run, message] = [uuidv7(), uuidv7(), uuidv7()]
  const at = `now() - make_interval(days => ${daysOld})`
  const insert = (sql: string, ...values: unknown[]) => pool.query(sql.replaceAll('AT', at), values)
  await insert(
    `INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input, created_at)
     VALUES ($1, 's', 'user', $2, 'h', AT, '{}', AT)`,
    ...[turn, open ? 'queued' : 'succeeded'],
  )
  await insert(
    `INSERT INTO tool_calls (turn_id, call_id, session_key, round, name, arguments, started_at)
     VALUES ($1, 'c', 's', 1, 'n', '{}', AT)`,
    turn,
  )
  await insert(
    `INSERT INTO inbound_messages (id, bot_uuid, channel, external_id, session_key, sender_id, content, message_chain, state, received_at)
     VALUES ($1::uuid, 'b', 'webhook', ($1::uuid)::text, 's', 'x', '', '[]', $2, AT)`,
    ...[uuidv7(), open ? 'received' : 'answered'],
  )
  await insert(
    `INSERT INTO runs (id, bot_uuid, origin, status, language, timezone, created_at)
     VALUES ($1, 'b', 'api', $2, 'en', 'UTC', AT)`,
    ...[run, open ? 'running' : 'succeeded'],
  )
  await insert(`INSERT INTO run_events (run_id, seq, type, data, created_at) VALUES ($1, 1, 'args', '{}', AT)`, run)
  await insert(
    `INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone, status,
       replace_existing, created_at_ts, updated_at_ts)
     VALUES ($1, 's', 'b', 'web', 'private', 'hi', AT, 'UTC', $2, false, AT, AT)`,
    ...[message, open ? 'pending' : 'cancelled'],
  )
}

const TABLES = ['turns', 'tool_calls', 'inbound_messages', 'runs', 'run_events', 'scheduled_messages']
async function counts(): Promise<number[]> {
  const all = TABLES.map((table) => database.pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))
  return (await Promise.all(all)).map(({ rows }) => rows[0]!.n)
}

test('what is over goes after its days; what is open or younger stays', async () => {
  for (const days of [0, 20, 50]) for (const open of [true, false]) await fill(days, open)
  await createStores(database).sessions.prune({ records: 10, promises: 30 }, () => undefined)
  // Open ones all stay (three); of those over, records keep one of three, promises two.
  expect(await counts()).toEqual([4, 4, 4, 5, 5, 5])
})

test('the old rows of a large table are found by their index', async () => {
  await database.pool.query(
    `INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input, created_at)
     SELECT gen_random_uuid(), 's', 'user', 'succeeded', 'h', now(), '{}', now() - make_interval(mins => 200000 - n)
     FROM generate_series(1, 200000) n`,
  )
  await database.pool.query('ANALYZE turns')
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT ctid FROM turns t WHERE t.created_at < now() - interval '138 days' AND t.status NOT IN ('queued', 'running') LIMIT 5000`,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('turns_created_at')
})

test('the database says its version to people', async () => {
  const { rows } = await database.pool.query('SELECT * FROM metadata')
  expect(rows).toEqual([{ key: 'database_version', value: expect.stringMatching(/^\d{14}_/) as string }])
})
