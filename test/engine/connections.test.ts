import pino from 'pino'
import { createPostgresLiveBus } from '../../src/engine/postgres-live-bus'
import { createDatabase, inTransaction } from '../../src/engine/database'
import type { Database } from '../../src/engine/database'
import { isStorageAway } from '../../src/engine/storage-away'
import { eventually } from '../support/eventually'
import { startFaultProxy } from '../../gate/rig/fault-proxy'
import type { FaultProxy } from '../../gate/rig/fault-proxy'
import { createTestDatabase } from '../support/services'

const POOL_SIZE = 3
let proxy: FaultProxy
let database: Database
let drop: () => Promise<void>
let url: string

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  const { hostname, port } = new URL(made.url)
  proxy = await startFaultProxy({ host: hostname, port: Number(port) })
  url = proxy.through(made.url)
  database = createDatabase(url, POOL_SIZE)
})
afterAll(async () => {
  await proxy.close()
  await database.close()
  await drop()
})

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

test('a pool whose connections all lead nowhere is whole again within a minute', async () => {
  await Promise.all(Array.from({ length: POOL_SIZE }, () => database.pool.query('SELECT pg_sleep(0.2)')))
  const live = await createPostgresLiveBus({
    connectionString: url,
    pool: database.pool,
    logger: pino({ level: 'silent' }),
  })
  let woken = 0
  live.subscribe('session', { onWake: () => (woken += 1) })
  proxy.blackHole()
  const began = Date.now()
  const lost = [
    failure(database.pool.query('SELECT 1')),
    failure(inTransaction(database.pool, (db) => db.query('SELECT 1'))),
    failure(database.prisma.bot.count()),
  ]
  const errors = await Promise.all(lost)
  expect(errors.map((error) => isStorageAway(error))).toEqual([true, true, true])
  expect((await database.pool.query('SELECT 1')).rowCount).toBe(1)
  expect(await inTransaction(database.pool, async (db) => (await db.query('SELECT 1')).rowCount)).toBe(1)
  expect(await database.prisma.bot.count()).toBe(0)
  expect(Date.now() - began).toBeLessThan(60_000)
  // The one connection that listens has found out by itself, too.
  await eventually(async () => {
    await database.pool.query(`SELECT pg_notify('punctual_session', 'session')`)
    return woken > 0 ? true : undefined
  })
  await live.close()
}, 150_000)

test('a refused, cut or slow connection is told from a mistake of ours', async () => {
  proxy.refuse()
  expect(isStorageAway(await failure(database.pool.query('SELECT 1')))).toBe(true)
  expect(isStorageAway(await failure(database.prisma.bot.count()))).toBe(true)
  proxy.cutAfter(600)
  const cut = await failure(database.pool.query(`SELECT repeat('x', 5000)`))
  expect(isStorageAway(cut)).toBe(true)
  proxy.delay(50)
  expect((await database.pool.query('SELECT 1')).rowCount).toBe(1)
  proxy.pass()
  expect(isStorageAway(await failure(database.pool.query('SELECT 1 / 0')))).toBe(false)
})
