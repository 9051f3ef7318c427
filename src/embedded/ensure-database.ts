import { Client } from 'pg'

/** Creates the database unless it is there. The address names any existing database of the same server. */
export async function ensureDatabase(serverUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}
