import { createDatabase, inTransaction } from '../../src/engine/database'
import type { Database } from '../../src/engine/database'
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

const ASKED = `SELECT 1 AS bot_uuid, 2 AS "_own", 3 AS part_2_of, '{"inner_name": 1}'::jsonb AS as_json WHERE $1`
const ROW = { botUuid: 1, _own: 2, part2Of: 3, asJson: { inner_name: 1 } }

test('rows have the names of the code, whichever way they are asked for; JSON is left as it is', async () => {
  const { pool } = database
  expect((await pool.query(ASKED, [true])).rows).toEqual([ROW])
  // A prepared statement is described anew each time.
  for (const _ of [1, 2]) {
    expect((await pool.query({ name: 'asked', text: ASKED, values: [true] })).rows).toEqual([ROW])
  }
  expect((await inTransaction(pool, (db) => db.query(ASKED, [true]))).rows).toEqual([ROW])
  const client = await pool.connect()
  const answers = (await client.query('SELECT 1 AS first_one; SELECT 2 AS second_one')) as unknown as {
    rows: object[]
  }[]
  client.release()
  expect(answers.map(({ rows }) => rows)).toEqual([[{ firstOne: 1 }], [{ secondOne: 2 }]])
})

test('Prisma, on the same connections, reads and writes its columns', async () => {
  const { prisma, pool } = database
  await prisma.bot.create({ data: { uuid: 'camel', name: 'Camel', pipelineUuid: 'tasks' } })
  expect(await prisma.bot.findUnique({ where: { uuid: 'camel' } })).toMatchObject({ pipelineUuid: 'tasks' })
  expect(await prisma.$queryRaw`SELECT pipeline_uuid FROM bots WHERE uuid = 'camel'`).toEqual([
    { pipeline_uuid: 'tasks' },
  ])
  expect((await pool.query(`SELECT pipeline_uuid FROM bots WHERE uuid = 'camel'`)).rows).toEqual([
    { pipelineUuid: 'tasks' },
  ])
})

test('a statement that fails says so to whoever asked, and the connection serves on', async () => {
  const client = await database.pool.connect()
  await expect(client.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' })
  expect((await client.query('SELECT 1 AS is_well')).rows).toEqual([{ isWell: 1 }])
  client.release()
})

test('a statement with values is planned once a connection, whoever asks it; one without is not kept', async () => {
  const client = await database.pool.connect()
  const kept = async () => {
    const { rows } = await client.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')
    return rows.map(({ statement }) => statement)
  }
  const asked = 'SELECT $1::int + 41 AS sum'
  for (const value of [1, 2]) await client.query(asked, [value])
  await client.query('SELECT 42 AS sum')
  const statements = await kept()
  client.release()
  expect(statements.filter((statement) => statement === asked)).toHaveLength(1)
  expect(statements).not.toContain('SELECT 42 AS sum')
})
