import { PrismaPg } from '@prisma/adapter-pg'
import { Pool, types } from 'pg'
import type { PoolClient, QueryResult, QueryResultRow } from 'pg'
import type { Logger } from 'pino'
import { PrismaClient } from './generated/client'
import { answerInCamelCase, createPrepare } from './camel-rows'
import { isStorageAway } from './storage-away'
import { createWakes } from './notify-after-commit'

/** A pool or one of its clients inside a transaction. Its rows have camelCase names: `bot_uuid` is read as `botUuid`. */
export interface Queryable {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>>
}

export interface Database {
  pool: Pool
  prisma: PrismaClient
  /** Wakes the watchers of a session; for writes whose commit shall not wait for others. */
  wake(sessionKey: string): void
  close(): Promise<void>
}

const INT8_OID = 20
/** A little longer than the server's limit, which tells more when it is the one that ends a query. */
const QUERY_TIMEOUT_MS = 35_000

/** One pool for Prisma and for the hot SQL beside it. */
export function createDatabase(url: string, poolSize: number, logger?: Logger): Database {
  // Our counters stay far below 2^53, so a bigint is read as a number instead of a string.
  types.setTypeParser(INT8_OID, Number)
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    // The server's own limits help nobody whose connection leads nowhere any more.
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'punctual',
  })
  const prepare = createPrepare()
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => logger?.warn({ code: error.message }, 'an idle database connection was lost'))
  pool.on('connect', (client) => {
    // So would one that breaks between two statements of a transaction: the next statement tells its user.
    client.on('error', () => undefined)
    answerInCamelCase(client, prepare)
  })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  const wakes = createWakes(pool)
  return {
    pool,
    prisma,
    wake: wakes.wake,
    async close() {
      await wakes.settled()
      await prisma.$disconnect()
      if (!pool.ended) await pool.end()
    },
  }
}

const RETRYABLE = new Set(['40001', '40P01'])

/** Runs `work` in a transaction; a deadlock or serialization failure is tried again, twice at most. */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, work)
    } catch (error) {
      if (attempt === 3 || !RETRYABLE.has(sqlState(error) ?? '')) throw error
    }
  }
}

async function once<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A connection that is gone is not asked once more: it would only wait as long again.
    if (isStorageAway(error)) broken = true
    else await client.query('ROLLBACK').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
