import fs from 'node:fs'
import path from 'node:path'
import { ensureDatabase } from '../../src/embedded/ensure-database'
import { migrateDeploy } from '../../src/embedded/migrate'
import { findFreePort } from '../../src/embedded/ports'
import { startPostgres } from '../../src/embedded/postgres'
import { findTemporalBinary } from '../../src/embedded/temporal-binary'
import { startTemporalServer } from '../../src/embedded/temporal-server'

/** A real service on a folder and a port of its own, to be killed and started again at the same place. */
export interface RigService {
  port: number
  dir: string
  pid(): number
  start(): Promise<void>
  /** kill -9, as far as the service allows it; what it had written is there when it starts again. */
  kill(): void
  stop(): Promise<void>
}

const DATABASE = 'gate'
const PASSWORD = 'gate'

export async function startRigPostgres(dir: string): Promise<RigService & { url: string }> {
  const options = { dir: path.join(dir, 'postgres'), port: await findFreePort(), password: PASSWORD }
  let server = await startPostgres(options)
  await ensureDatabase(server.url('postgres'), DATABASE)
  await migrateDeploy(server.url(DATABASE))
  return {
    ...options,
    url: server.url(DATABASE),
    pid: () => server.pid,
    async start() {
      server = await startPostgres(options)
    },
    kill: () => server.kill(),
    stop: () => server.stop(),
  }
}

export async function startRigTemporal(dir: string): Promise<RigService & { file: string; forget(): void }> {
  const binary = await findTemporalBinary({
    cacheDir: process.env['PUNCTUAL_CACHE_DIR'],
    env: process.env,
    say: (line) => void process.stderr.write(`${line}\n`),
  })
  const [port, uiPort] = [await findFreePort(), undefined]
  const options = { binary, dir: path.join(dir, 'temporal'), port, uiPort, namespaces: ['default'] }
  let server = await startTemporalServer(options)
  return {
    port,
    dir: options.dir,
    file: path.join(options.dir, 'temporal.db'),
    pid: () => server.pid,
    async start() {
      server = await startTemporalServer(options)
    },
    kill: () => server.kill(),
    stop: () => server.stop(),
    /** All that it knew is gone. */
    forget: () => fs.rmSync(options.dir, { recursive: true, force: true }),
  }
}
