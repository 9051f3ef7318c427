import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { migrateDeploy, migrationsDir } from '../../src/embedded/migrate'
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

  it('go on after the process that made them was killed, at any moment, with no step by hand', async () => {
    const dir = createTestFolder('migrations')
    writeMigration(dir, '1_slow', 'CREATE TABLE s (id int); SELECT pg_sleep(0.3); CREATE TABLE t (id int)')
    const script = path.join(await ensureBuilt(), 'src/embedded/migrate.js')
    const code = `require(process.argv[1]).migrateDeploy(process.argv[2], process.argv[3])`
    for (const afterMs of [0, 60, 120, 180, 240, 300, 400]) {
      const child = spawn(process.execPath, ['-e', code, script, database.url, dir], { stdio: 'ignore' })
      await sleep(afterMs + 100)
      child.kill('SIGKILL')
    }
    await migrateDeploy(database.url, dir)
    expect(await migrateDeploy(database.url, dir)).toEqual([])
    expect(await ask(`SELECT to_regclass('s')::text AS s, to_regclass('t')::text AS t`)).toEqual([{ s: 's', t: 't' }])
    expect(await ask('SELECT applied_steps_count AS n FROM _prisma_migrations')).toEqual([{ n: 1 }])
  })

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
