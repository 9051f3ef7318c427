#!/usr/bin/env node
// Stands in for Prisma's native `schema-engine` binary (PRISMA_SCHEMA_ENGINE_BINARY): the same JSON-RPC over stdio,
// served by Prisma's own WebAssembly build of that engine and @prisma/adapter-pg.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import pg from 'pg'

const { values: options, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    version: { type: 'boolean', short: 'v' },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
  },
})
const { url } = JSON.parse(options.datasource ?? '{}')

if (options.version) console.log('schema-engine-wasm')
else if (positionals[0] === 'cli') await runCli(positionals[1])
else await serve()
process.exit()

async function runCli(command) {
  try {
    if (command === 'create-database') await createDatabase()
    else await withClient(url, async () => undefined)
  } catch (error) {
    const codes = { '3D000': 'P1003', '28P01': 'P1000' }
    const fields = { error_code: codes[error.code] ?? 'P1001', message: error.message }
    console.error('{}') // The CLI ignores the first line of stderr.
    console.error(JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields }))
    process.exitCode = 1
  }
}

async function serve() {
  let engine
  for await (const line of createInterface({ input: process.stdin })) {
    const message = line.trim() === '' ? {} : JSON.parse(line)
    if (!message.method) continue // The acknowledgement of our own `print`.
    const answer = await handle(message, () => (engine ??= createEngine()))
    const printed = message.method === 'diff' && answer.result?.stdout
    if (printed) send({ jsonrpc: '2.0', id: 0, method: 'print', params: { content: printed } })
    send(answer)
  }
}

async function handle({ id, method, params }, getEngine) {
  try {
    const verb = method === 'getDatabaseVersion' ? 'version' : method
    const result = method === 'createDatabase' ? await createDatabase() : await (await getEngine())[verb](params)
    return { jsonrpc: '2.0', id, result: result ?? null }
  } catch (error) {
    const data = {
      is_panic: false,
      message: error.message ?? String(error),
      error_code: error.code ?? null,
      meta: error.meta ?? null,
    }
    return {
      jsonrpc: '2.0',
      id,
      error: { code: 4466, message: 'An error happened. Check the data field for details.', data },
    }
  }
}

async function createEngine() {
  const [{ bindMigrationAwareSqlAdapterFactory }, { parse }, { MigrationPg }, engine] = await Promise.all([
    import('@prisma/driver-adapter-utils'),
    import('pg-connection-string'),
    import('./schema-engine-adapter.mjs'),
    import('@prisma/schema-engine-wasm/schema_engine_bg'),
  ])
  const wasm = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'))
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { './schema_engine_bg.js': engine })
  engine.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start?.()
  const { schema, ...config } = parse(url ?? 'postgresql://localhost/postgres')
  const datamodels = options.datamodels?.map((file) => [file, readFileSync(file, 'utf8')])
  const log = (entry) => process.env.DEBUG && console.error(entry)
  return engine.SchemaEngine.new(
    { datamodels },
    log,
    bindMigrationAwareSqlAdapterFactory(new MigrationPg(config, { schema })),
  )
}

async function createDatabase() {
  const server = new URL(url)
  const databaseName = decodeURIComponent(server.pathname.slice(1))
  server.pathname = '/postgres'
  await withClient(server.href, (client) => client.query(`CREATE DATABASE ${client.escapeIdentifier(databaseName)}`))
  return { databaseName }
}

async function withClient(connectionString, work) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
