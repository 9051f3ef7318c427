import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureDatabase } from '../../src/embedded/ensure-database'
import { migrateDeploy } from '../../src/embedded/migrate'
import { createTestFolder, findFreePort, startPostgres, startTemporalServer, temporalBinary } from '../support/services'

/** A service of one test, to be killed and started again at the same place. */
export interface PrivateService {
  /** Where clients find it, while it runs and when it runs again. */
  address: string
  dir: string
  start(): Promise<void>
  /** kill -9, as far as the service allows it. */
  kill(): void
  stop(): Promise<void>
}

const DATABASE = 'punctual'

/** Temporal on a folder and a port of its own; it is not started yet. */
export async function placeTemporal(): Promise<PrivateService & { forget(): void }> {
  const dir = path.join(createTestFolder('temporal'), 'data')
  const port = await findFreePort()
  const options = { binary: temporalBinary(), dir, port, uiPort: undefined, namespaces: ['default'] }
  let server: Awaited<ReturnType<typeof startTemporalServer>> | undefined
  return {
    address: `127.0.0.1:${port}`,
    dir,
    async start() {
      server = await startTemporalServer(options)
    },
    kill: () => server?.kill(),
    async stop() {
      await server?.stop()
    },
    /** All that it knew is gone. */
    forget: () => fs.rmSync(dir, { recursive: true, force: true }),
  }
}

/** PostgreSQL with our tables, on a folder and a port of its own; it runs. */
export async function openPostgres(): Promise<PrivateService> {
  const dir = path.join(createTestFolder('postgres'), 'data')
  const port = await findFreePort()
  const options = { dir, port, password: 'test', settings: { max_connections: '100' } }
  let server = await startPostgres(options)
  const address = server.url(DATABASE)
  await ensureDatabase(server.url('postgres'), DATABASE)
  await migrateDeploy(address)
  return {
    address,
    dir,
    async start() {
      server = await startPostgres(options)
    },
    kill() {
      // With its backends, as a machine that fails: one that has a statement already would still carry it out.
      const backends = childrenOf(server.pid)
      for (const pid of [server.pid, ...backends]) process.kill(pid, 'SIGKILL')
    },
    stop: () => server.stop(),
  }
}

function childrenOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/).map(Number))
  return rows.flatMap(([pid, of]) => (of === parent && pid !== undefined ? [pid] : []))
}
