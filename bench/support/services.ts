import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Pool } from 'pg'
import { ensureDatabase } from '../../src/embedded/ensure-database'
import { migrateDeploy } from '../../src/embedded/migrate'
import { findFreePort } from '../../src/embedded/ports'
import { startPostgres } from '../../src/embedded/postgres'
import { findTemporalBinary } from '../../src/embedded/temporal-binary'
import { startTemporalServer } from '../../src/embedded/temporal-server'
import type { Closings } from './run-bench'
import { say } from './run-bench'

/** Every contender gets as many connections as our own pool has by default. */
export const POOL_SIZE = 10
const DATABASE = 'bench'

export interface Services {
  databaseUrl: string
  temporalAddress: string
  /** For preparing and reading results; not a contender's. */
  pool: Pool
}

/** PostgreSQL and Temporal as `npm start` runs them (fsync on), in a temporary folder. */
export async function startServices(closings: Closings): Promise<Services> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-bench-'))
  closings.add(() => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
  const [databaseUrl, temporalAddress] = await Promise.all([openPostgres(dir, closings), openTemporal(dir, closings)])
  const pool = openPool(databaseUrl, closings, 4)
  return { databaseUrl, temporalAddress, pool }
}

export function openPool(connectionString: string, closings: Closings, max = POOL_SIZE): Pool {
  const pool = new Pool({ connectionString, max })
  // When the run is ended half-way PostgreSQL may be gone first; without a listener that would end the process at once.
  pool.on('error', () => undefined)
  closings.add(() => pool.end())
  return pool
}

async function openPostgres(dir: string, closings: Closings): Promise<string> {
  const postgres = await startPostgres({
    dir: path.join(dir, 'postgres'),
    port: await findFreePort(),
    password: 'bench',
    // So that lateness can be read off as the moment of the commit, for every contender alike.
    settings: { track_commit_timestamp: 'on' },
  })
  closings.add(() => postgres.stop())
  await ensureDatabase(postgres.url('postgres'), DATABASE)
  await migrateDeploy(postgres.url(DATABASE))
  return postgres.url(DATABASE)
}

async function openTemporal(dir: string, closings: Closings): Promise<string> {
  const binary = await findTemporalBinary({ cacheDir: process.env['PUNCTUAL_CACHE_DIR'], env: process.env, say })
  const temporal = await startTemporalServer({
    binary,
    dir: path.join(dir, 'temporal'),
    port: await findFreePort(),
    uiPort: undefined,
    namespaces: ['default'],
  })
  closings.add(() => temporal.stop())
  return temporal.address
}
