import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { openInstance } from './instance'
import { postgresUrl } from './postgres'

const DATABASE = 'punctual'

/** The given database, or the one that runs in the data folder; says what is missing when neither can be reached. */
export async function findDatabase(config: { databaseUrl: string | undefined; dataDir: string }): Promise<string> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) {
    await requireAnswer(databaseUrl, 'The database of DATABASE_URL does not answer')
    return databaseUrl
  }
  if (!fs.existsSync(path.join(dataDir, 'instance.json'))) {
    throw new Error(`${dataDir} holds no Punctual: run "npm start" first, or set PUNCTUAL_DATA_DIR or DATABASE_URL`)
  }
  const { postgresPort: port, postgresPassword: password } = openInstance(dataDir).facts
  if (port === undefined) throw new Error(`${dataDir} has not been started yet: run "npm start" first`)
  const url = postgresUrl({ port, password }, DATABASE)
  await requireAnswer(url, `Punctual does not run in ${dataDir}: start it with "npm start" and try again`)
  return url
}

async function requireAnswer(url: string, otherwise: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (error) {
    throw new Error(`${otherwise} (${error instanceof Error ? error.message : String(error)})`, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}
