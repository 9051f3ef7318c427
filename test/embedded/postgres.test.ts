import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { PortTakenError } from '../../src/embedded/ports'
import { startPostgres } from '../../src/embedded/postgres'
import { commandLine, isAlive } from '../../src/embedded/process'
import { waitUntil } from '../../src/embedded/wait'
import { createTestFolder, findFreePort } from '../support/services'

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

async function options() {
  return { dir: path.join(createTestFolder('postgres'), 'data'), port: await findFreePort(), password: 'a b/c' }
}

describe('embedded PostgreSQL', () => {
  it('is adopted after its parent is gone, and stops for good when told', async () => {
    const place = await options()
    const first = await startPostgres(place)
    const second = await startPostgres(place)
    expect(second).toMatchObject({ pid: first.pid, adopted: true })
    await second.stop()
    expect(isAlive(first.pid)).toBe(false)
    expect(fs.existsSync(path.join(place.dir, 'postmaster.pid'))).toBe(false)
  })

  it('keeps what was committed through kill -9, on the same port', async () => {
    const place = await options()
    const first = await startPostgres(place)
    await query(first.url('postgres'), 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (42)')
    process.kill(first.pid, 'SIGKILL')
    await waitUntil(() => !isAlive(first.pid), { timeoutMs: 5_000 })
    const second = await startPostgres(place)
    expect(second.adopted).toBe(false)
    expect(second.url('postgres')).toBe(first.url('postgres'))
    expect(await query(second.url('postgres'), 'SELECT id FROM kept')).toEqual([{ id: 42 }])
    await second.stop()
  })

  it('starts although its pid file names a stranger', async () => {
    const place = await options()
    const first = await startPostgres(place)
    process.kill(first.pid, 'SIGKILL')
    await waitUntil(() => !isAlive(first.pid), { timeoutMs: 5_000 })
    const pidFile = path.join(place.dir, 'postmaster.pid')
    fs.writeFileSync(pidFile, fs.readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid)))
    const second = await startPostgres(place)
    expect(commandLine(second.pid)).toContain(place.dir)
    await second.stop()
  })

  it('begins anew when initdb was killed half-way', async () => {
    const place = await options()
    fs.mkdirSync(`${place.dir}.new`, { recursive: true })
    fs.writeFileSync(path.join(`${place.dir}.new`, 'PG_VERSION'), '18')
    const postgres = await startPostgres(place)
    expect(fs.existsSync(`${place.dir}.new`)).toBe(false)
    await postgres.stop()
  })

  it('names the port that is in use', async () => {
    const place = await options()
    const other = await startPostgres(await options())
    const taken = Number(new URL(other.url('postgres')).port)
    await expect(startPostgres({ ...place, port: taken })).rejects.toThrow(new PortTakenError(taken))
    await other.stop()
  })

  it('listens on loopback only and refuses a wrong password', async () => {
    const place = await options()
    const postgres = await startPostgres(place)
    const url = new URL(postgres.url('postgres'))
    expect(await query(url.href, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    url.password = 'wrong'
    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
    expect(spawnSync('ls', ['-ld', place.dir], { encoding: 'utf8' }).stdout).toMatch(/^drwx------/)
    await postgres.stop()
  })
})
