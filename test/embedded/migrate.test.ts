import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { migrateDeploy, migrationsDir, PRISMA_ADVISORY_LOCK } from '../../src/embedded/migrate'
import { eventually } from '../support/eventually'
import { ensureBuilt } from '../support/processes'
import { createTestDatabase, createTestFolder } from '../support/services'

const root = path.resolve(__dirname, '../..')

function writeMigration(dir: string, name: string, sql: string): void {
  fs.mkdirSync(path.join(dir, name), { recursive: true })
  fs.writeFileSync(path.join(dir, name, 'migration.sql'), sql)
}

describe('migrations at boot', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeEach(async () => {
    database = await createTestDatabase()
    const client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await client.end()
  })
  afterEach(() => database.drop())

  it("agree with Prisma's own table: its CLI finds the database up to date", async () => {
    const applied = await migrateDeploy(database.url)
    expect(applied.length).toBeGreaterThan(0)
    const cli = path.join(root, 'node_modules/prisma/build/index.js')
    const { stdout, stderr } = spawnSync(process.execPath, [cli, 'migrate', 'status'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: database.url, CHECKPOINT_DISABLE: '1' },
    })
    expect(stdout + stderr).toContain('Database schema is up to date!')
  })

  it('are applied once, although two processes start at the same time', async () => {
    const both = await Promise.all([migrateDeploy(database.url), migrateDeploy(database.url)])
    expect(both.map((applied) => applied.length).sort()).toEqual([0, fs.readdirSync(migrationsDir).length - 1])
    expect(await migrateDeploy(database.url)).toEqual([])
  })

  it('are refused when one was edited after it was applied', async () => {
    const dir = createTestFolder('migrations')
    writeMigration(dir, '1_first', 'CREATE TABLE a (id int)')
    await migrateDeploy(database.url, dir)
    writeMigration(dir, '1_first', 'CREATE TABLE a (id bigint)')
    await expect(migrateDeploy(database.url, dir)).rejects.toThrow('1_first was edited')
  })

  const ask = async <Row extends object>(sql: string): Promise<Row[]> => {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<Row>(sql)
    await client.end()
    return rows
  }

  it('leave nothing half done, and are tried again at the next start', async () => {
    const dir = createTestFolder('migrations')
    writeMigration(dir, '1_broken', 'CREATE TABLE b (id int); SELECT 1 / 0')
    await expect(migrateDeploy(database.url, dir)).rejects.toThrow('division by zero')
    expect(await ask(`SELECT to_regclass('b') AS found`)).toEqual([{ found: null }])
    writeMigration(dir, '1_broken', 'CREATE TABLE b (id int)')
    expect(await migrateDeploy(database.url, dir)).toEqual(['1_broken'])
  })

  /** Stops whoever records a migration, or commits it, until the lock is free. */
  const STOPS = `
    CREATE FUNCTION wait_for(lock bigint) RETURNS void LANGUAGE sql AS 'SELECT pg_advisory_xact_lock(lock)';
    CREATE FUNCTION stop_at() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM wait_for(TG_ARGV[0]::bigint); RETURN NEW; END';
    CREATE TRIGGER recording BEFORE INSERT ON _prisma_migrations FOR EACH ROW EXECUTE FUNCTION stop_at(43);
    CREATE CONSTRAINT TRIGGER committing AFTER INSERT ON _prisma_migrations DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION stop_at(44)`

  it.each([
    ['waits for its turn', PRISMA_ADVISORY_LOCK],
    ['is in the middle of its change', 42],
    ['is about to be recorded', 43],
    ['is about to be committed', 44],
  ])(
    'need no step by hand after the process was killed while one %s',
    async (_when, lock) => {
      const dir = createTestFolder('migrations')
      await migrateDeploy(database.url, dir)
      await ask(STOPS)
      writeMigration(dir, '1_first', 'CREATE TABLE s (id int); SELECT wait_for(42); CREATE TABLE t (id int)')
      const holder = new Client({ connectionString: database.url })
      await holder.connect()
      await holder.query('SELECT pg_advisory_lock($1)', [lock])
      const script = path.join(await ensureBuilt(), 'src/embedded/migrate.js')
      const code = `require(process.argv[1]).migrateDeploy(process.argv[2], process.argv[3])`
      const child = spawn(process.execPath, ['-e', code, script, database.url, dir], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ${lock}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      await eventually(async () => (await ask(waiting)).length > 0, 60_000)
      child.kill('SIGKILL')
      await ended
      await holder.end()
      await migrateDeploy(database.url, dir)
      expect(await migrateDeploy(database.url, dir)).toEqual([])
      expect(await ask(`SELECT to_regclass('s')::text AS s, to_regclass('t')::text AS t`)).toEqual([{ s: 's', t: 't' }])
      expect(await ask('SELECT applied_steps_count AS n FROM _prisma_migrations')).toEqual([{ n: 1 }])
    },
    120_000,
  )

  it.each([
    ['before its change', false],
    ['after its change', true],
  ])('recover what an older release left when it was killed %s', async (_when, changed) => {
    const dir = createTestFolder('migrations')
    await migrateDeploy(database.url, dir)
    writeMigration(dir, '1_first', 'CREATE TABLE a (id int)')
    await ask(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '1_first')`)
    if (changed) await ask('CREATE TABLE a (id int)')
    expect(await migrateDeploy(database.url, dir)).toEqual(['1_first'])
    expect(await migrateDeploy(database.url, dir)).toEqual([])
    expect(await ask(`SELECT to_regclass('a')::text AS a`)).toEqual([{ a: 'a' }])
  })

  it('wait for a table in use in short turns', async () => {
    const dir = createTestFolder('migrations')
    writeMigration(dir, '1_first', 'CREATE TABLE a (id int)')
    await migrateDeploy(database.url, dir)
    writeMigration(dir, '2_second', 'ALTER TABLE a ADD COLUMN more int')
    const reader = new Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('BEGIN; SELECT * FROM a')
    const migrating = migrateDeploy(database.url, dir)
    await sleep(3_000)
    expect(await ask('SELECT count(*)::int AS n FROM a')).toEqual([{ n: 0 }])
    await reader.query('COMMIT')
    await reader.end()
    expect(await migrating).toEqual(['2_second'])
  })
})
