import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { hasErrorCode } from '../../src/embedded/system-error'

/** Namespaces t0 … are registered when the run starts: registering one later takes seconds to be seen everywhere. */
export const NAMESPACE_COUNT = 160

function fromSetup(name: string): string {
  const value = process.env[name]
  if (value) return value
  throw new Error(`${name} is not set: test/support/global-setup.ts did not run; start tests with "npm test"`)
}

/** A fresh database with every migration applied, cloned from the template. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = fromSetup('PUNCTUAL_TEST_PG_URL')
  const template = fromSetup('PUNCTUAL_TEST_TEMPLATE')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await execute(server, `CREATE DATABASE "${name}" TEMPLATE "${template}"`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) }
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A Temporal namespace that nobody else in this run uses. */
export function takeNamespace(): string {
  const dir = path.join(testDir(), 'namespaces')
  fs.mkdirSync(dir, { recursive: true })
  for (let index = 0; index < NAMESPACE_COUNT; index += 1) {
    if (claim(path.join(dir, `t${index}`))) return `t${index}`
  }
  throw new Error(`all ${NAMESPACE_COUNT} test namespaces are taken: raise NAMESPACE_COUNT in test/support/services.ts`)
}

function claim(file: string): boolean {
  try {
    fs.closeSync(fs.openSync(file, 'wx'))
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

export const temporalAddress = (): string => fromSetup('PUNCTUAL_TEST_TEMPORAL')
export const temporalBinary = (): string => fromSetup('PUNCTUAL_TEST_TEMPORAL_BINARY')
export const testDir = (): string => fromSetup('PUNCTUAL_TEST_DIR')

/** The workflows, bundled once for the run: `workflowBundle: { codePath }` of a Worker. */
export const workflowBundlePath = (): string => fromSetup('PUNCTUAL_TEST_BUNDLE')

/** A folder of one test, gone with the run; services started on it are ended with the run too. */
export function createTestFolder(name: string): string {
  return fs.mkdtempSync(path.join(testDir(), `${name}-`))
}

// For tests that kill services: private ones, started on a folder from createTestFolder().
export { findFreePort } from '../../src/embedded/ports'
export { startPostgres } from '../../src/embedded/postgres'
export { startTemporalServer } from '../../src/embedded/temporal-server'
