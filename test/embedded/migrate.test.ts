import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { migrateDeploy, migrationsDir } from '../../src/embedded/migrate'
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

  it('leave nothing half done, and say so at the next start', async () => {
    const dir = createTestFolder('migrations')
    writeMigration(dir, '1_broken', 'CREATE TABLE b (id int); SELECT 1 / 0')
    await expect(migrateDeploy(database.url, dir)).rejects.toThrow('division by zero')
    await expect(migrateDeploy(database.url, dir)).rejects.toThrow('1_broken failed earlier')
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<{ found: string | null }>(`SELECT to_regclass('b') AS found`)
    await client.end()
    expect(rows).toEqual([{ found: null }])
  })
})
