import fs from 'node:fs'
import path from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { ensureDatabase } from '../../src/embedded/ensure-database'
import { migrateDeploy } from '../../src/embedded/migrate'
import { findFreePort } from '../../src/embedded/ports'
import { startPostgres } from '../../src/embedded/postgres'
import { findTemporalBinary } from '../../src/embedded/temporal-binary'
import { startTemporalServer } from '../../src/embedded/temporal-server'
import { createRunFolder, reap } from './reaper'
import { NAMESPACE_COUNT } from './services'

const TEMPLATE = 'punctual_template'
/** Nothing here outlives the run, so nothing needs to reach the disk. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
const FAST_PRAGMAS = ['journal_mode=WAL', 'synchronous=OFF']

/** One PostgreSQL, one Temporal and one workflow bundle serve the whole run; addresses reach the tests by environment. */
export default async function globalSetup(): Promise<void> {
  const { dir, reaper } = createRunFolder()
  globalThis.punctualReaper = reaper
  process.env['PUNCTUAL_TEST_DIR'] = dir
  try {
    await Promise.all([setUpPostgres(dir), setUpTemporal(dir), setUpBundle(dir)])
  } catch (error) {
    await reap(reaper)
    throw error
  }
}

async function setUpPostgres(dir: string): Promise<void> {
  const port = await findFreePort()
  const options = { dir: path.join(dir, 'postgres'), port, password: 'test', settings: FAST }
  const postgres = await startPostgres(options)
  await ensureDatabase(postgres.url('postgres'), TEMPLATE)
  await migrateDeploy(postgres.url(TEMPLATE))
  process.env['PUNCTUAL_TEST_PG_URL'] = postgres.url('postgres')
  process.env['PUNCTUAL_TEST_TEMPLATE'] = TEMPLATE
}

async function setUpTemporal(dir: string): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const cacheDir = process.env['PUNCTUAL_CACHE_DIR']
  const binary = await findTemporalBinary({ cacheDir, env: process.env, say })
  const namespaces = Array.from({ length: NAMESPACE_COUNT }, (_, index) => `t${index}`)
  const temporal = await startTemporalServer({
    binary,
    dir: path.join(dir, 'temporal'),
    port: await findFreePort(),
    uiPort: undefined,
    namespaces,
    sqlitePragmas: FAST_PRAGMAS,
  })
  process.env['PUNCTUAL_TEST_TEMPORAL'] = temporal.address
  process.env['PUNCTUAL_TEST_TEMPORAL_BINARY'] = binary
}

async function setUpBundle(dir: string): Promise<void> {
  const workflowsPath = path.resolve(__dirname, '../../workflows/index.ts')
  if (!fs.existsSync(workflowsPath)) return
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
  process.env['PUNCTUAL_TEST_BUNDLE'] = path.join(dir, 'workflow-bundle.js')
  fs.writeFileSync(process.env['PUNCTUAL_TEST_BUNDLE'], code)
}
