import { fork } from 'node:child_process'
import path from 'node:path'
import { Client } from 'pg'
import type { FirstCredentials } from '../access/credentials-file'
import { credentialsFile } from '../access'
import type { Config } from '../config'

const MADE_WITHIN_MS = 60_000

export interface FirstSignInOptions {
  databaseUrl: string
  config: Pick<Config, 'dataDir' | 'adminUsername'>
  baseUrl: string
}

/** Who can sign in, and where the key is. They are made when the database has nobody yet. */
export async function firstSignIn(options: FirstSignInOptions): Promise<FirstCredentials> {
  if (!(await hasUsers(options.databaseUrl))) return makeCredentials(options)
  const { dataDir, adminUsername: username } = options.config
  return { signInUrl: undefined, credentialsPath: credentialsFile(dataDir), username }
}

async function hasUsers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM users LIMIT 1')
    return rowCount !== 0
  } finally {
    await client.end()
  }
}

function makeCredentials({ databaseUrl, config, baseUrl }: FirstSignInOptions): Promise<FirstCredentials> {
  const settings = { DATABASE_URL: databaseUrl, PUNCTUAL_DATA_DIR: config.dataDir }
  const child = fork(path.join(__dirname, 'make-credentials.js'), [baseUrl], {
    env: { ...process.env, ...settings },
    timeout: MADE_WITHIN_MS,
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message: FirstCredentials) => resolve(message))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the first credentials could not be made')))
  })
}
