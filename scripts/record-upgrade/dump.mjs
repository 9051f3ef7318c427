import { createRequire } from 'node:module'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import pg from 'pg'

/** As plain SQL: the migrations of the old version as they stand there, then every row as it was when it stopped. */
export async function dumpDatabase({ dir, dataDir }, file) {
  const { startPostgres } = createRequire(import.meta.url)(path.join(dir, 'dist/src/embedded/postgres.js'))
  const { postgresPassword, postgresPort } = JSON.parse(fs.readFileSync(path.join(dataDir, 'instance.json'), 'utf8'))
  const options = { dir: path.join(dataDir, 'postgres'), port: postgresPort, password: postgresPassword }
  const postgres = await startPostgres(options)
  const client = new pg.Client({ connectionString: postgres.url('punctual') })
  await client.connect()
  try {
    const migrations = readMigrations(path.join(dir, 'prisma/migrations'))
    return pack(file, [...migrations, MIGRATIONS_TABLE, ...(await readRows(client))].join('\n'))
  } finally {
    await client.end()
    await postgres.stop()
  }
}

function readMigrations(dir) {
  const names = fs.readdirSync(dir).filter((name) => fs.existsSync(path.join(dir, name, 'migration.sql')))
  return names.sort().map((name) => fs.readFileSync(path.join(dir, name, 'migration.sql'), 'utf8'))
}

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0
);`

/** PostgreSQL writes and reads the values itself, so that no type is lost on the way. No trigger runs when they come back. */
async function readRows(client) {
  const lines = [`SET session_replication_role = replica;`]
  const tables = await client.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)
  for (const { name } of tables.rows) {
    const { rows } = await client.query(`SELECT json_agg(t)::text AS data FROM "${name}" t`)
    if (rows[0].data === null) continue
    const data = client.escapeLiteral(rows[0].data)
    lines.push(`INSERT INTO "${name}" SELECT * FROM json_populate_recordset(NULL::"${name}", ${data});`)
  }
  const sequences = await client.query(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  )
  for (const { name, value } of sequences.rows) lines.push(`SELECT setval('"${name}"', ${value});`)
  return [...lines, `SET session_replication_role = DEFAULT;`]
}

/** The file of Temporal's dev server, with what it had not yet moved into it. */
export function packTemporal({ dataDir }, target) {
  const names = ['temporal.db', 'temporal.db-wal']
  const there = names.filter((name) => fs.existsSync(path.join(dataDir, 'temporal', name)))
  return there.map((name) => {
    const content = fs.readFileSync(path.join(dataDir, 'temporal', name))
    return pack(path.join(target, `${name}.br`), content)
  })
}

function pack(file, content) {
  const bytes = Buffer.from(content)
  // Errors name the temporary folder of the recording; of the machine beside it nothing is kept.
  const kept = [process.cwd(), os.homedir()].find((place) => bytes.includes(`${place}/`))
  if (kept) throw new Error(`${file} would hold a path of this machine: ${kept}`)
  const packed = brotliCompressSync(bytes)
  fs.writeFileSync(file, packed)
  return packed.length
}
