import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { hasErrorCode } from './system-error'
import { pause } from './wait'

/** Prisma's schema engine takes the same key, so that a boot and `prisma migrate deploy` exclude each other. */
export const PRISMA_ADVISORY_LOCK = 72707369

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id"                  VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum"            VARCHAR(64) NOT NULL,
  "finished_at"         TIMESTAMPTZ,
  "migration_name"      VARCHAR(255) NOT NULL,
  "logs"                TEXT,
  "rolled_back_at"      TIMESTAMPTZ,
  "started_at"          TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

const REACHABLE_WITHIN_MS = 60_000
/** Refused, not resolved yet, cut off, "starting up", "shutting down". */
const PASSING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', '57P03', '57P01']

const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_ATTEMPTS = 60
const LOCK_PAUSE_MS = 1_000
/** A table, a column or a constraint of that name. */
const ALREADY_THERE = ['42P07', '42701', '42710']

interface Migration {
  name: string
  sql: string
  checksum: string
}

interface AppliedRow {
  migration_name: string
  checksum: string
  finished_at: Date | null
}

export const migrationsDir = path.resolve(__dirname, '../../prisma/migrations')

/** What `prisma migrate deploy` does, without Prisma's downloaded engine. Returns the names applied now. */
export async function migrateDeploy(connectionString: string, dir = migrationsDir): Promise<string[]> {
  const migrations = await readMigrations(dir)
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await takeMigrationLock(client)
    await client.query(CREATE_TABLE)
    const applied = await readApplied(client)
    const pending = migrations.filter((migration) => !isApplied(migration, applied))
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** A database that is just starting, or restarting, is waited for; any other failure is final. */
export async function migrateWhenReachable(connectionString: string, say: (line: string) => void): Promise<string[]> {
  const deadline = Date.now() + REACHABLE_WITHIN_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateDeploy(connectionString)
    } catch (error) {
      if (!PASSING.some((code) => hasErrorCode(error, code)) || Date.now() > deadline) throw error
      if (attempt === 1) say('waiting for PostgreSQL …')
      await pause(500)
    }
  }
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(names.sort().map((name) => readMigration(dir, name)))
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  const sql = await readFile(path.join(dir, name, 'migration.sql'), 'utf8')
  const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
  return { name, sql, checksum }
}

/** Held by the connection and released with it; another process that migrates is waited for, not for ever. */
async function takeMigrationLock(client: Client): Promise<void> {
  await client.query(`SET lock_timeout = '120s'`)
  await client.query('SELECT pg_advisory_lock($1)', [PRISMA_ADVISORY_LOCK])
  await client.query('RESET lock_timeout')
}

async function readApplied(client: Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    'SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  )
  return rows
}

function isApplied(migration: Migration, applied: AppliedRow[]): boolean {
  const row = applied.find(({ migration_name }) => migration_name === migration.name)
  if (row === undefined || row.finished_at === null) return false
  if (row.checksum !== migration.checksum) {
    throw new Error(`migration ${migration.name} was edited after it was applied`)
  }
  return true
}

/** A table in use is waited for in short turns, so that those who use it never wait long for us. */
async function apply(client: Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyOnce(client, migration)
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      if (hasErrorCode(error, LOCK_NOT_AVAILABLE) && attempt < LOCK_ATTEMPTS) await pause(LOCK_PAUSE_MS)
      else throw new Error(`migration ${migration.name} failed: ${String(error)}`, { cause: error })
    }
  }
}

/** Record and change are one transaction: whatever happens on the way, both are there or neither. */
async function applyOnce(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN')
  await client.query(`SET LOCAL lock_timeout = '2s'`)
  const unfinished = await client.query(
    'DELETE FROM "_prisma_migrations" WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
    [name],
  )
  await client.query('SAVEPOINT before')
  try {
    await client.query(sql)
  } catch (error) {
    // A record that says no end was once written before its change: if all of that is there, only the end was lost.
    const isThere = ALREADY_THERE.some((code) => hasErrorCode(error, code))
    if (!isThere || unfinished.rowCount === 0) throw error
    await client.query('ROLLBACK TO SAVEPOINT before')
  }
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  )
  await client.query('COMMIT')
}
