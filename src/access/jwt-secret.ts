import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createWhole, hasCode } from '../engine/files'

const FILE = 'jwt-secret'

interface SecretSettings {
  jwtSecret: string | undefined
  secretKey: string | undefined
  dataDir: string
}

/**
 * The given secret, or one that is made once and kept in the data folder. Front doors that do not share a data folder
 * need `JWT_SECRET`, or a person signed in at one is a stranger at the next.
 */
export async function ensureJwtSecret(config: Omit<SecretSettings, 'secretKey'>): Promise<string> {
  if (config.jwtSecret !== undefined) return config.jwtSecret
  const [kept] = await keptSecrets(config.dataDir)
  return kept ?? makeSecret(path.join(config.dataDir, FILE))
}

/** What secrets at rest are sealed with, and after it what this data folder may have sealed with before. */
export async function sealingSecrets(config: SecretSettings): Promise<[string, ...string[]]> {
  const current = config.secretKey ?? (await ensureJwtSecret(config))
  const older = await keptSecrets(config.dataDir)
  return [current, ...older.filter((secret) => secret !== current)]
}

/** The one that "npm start" keeps for its processes comes first; a folder that it never used has only the other. */
async function keptSecrets(dataDir: string): Promise<string[]> {
  const instance = await readSecret(path.join(dataDir, 'instance.json'))
  const facts = instance === undefined ? {} : (JSON.parse(instance) as { jwtSecret?: unknown })
  const own = typeof facts.jwtSecret === 'string' ? facts.jwtSecret : undefined
  return [own, await readSecret(path.join(dataDir, FILE))].filter((secret) => secret !== undefined)
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Of two processes at once one wins, and both read the same secret. */
async function makeSecret(file: string): Promise<string> {
  await createWhole(file, `${randomBytes(32).toString('hex')}\n`)
  return (await readFile(file, 'utf8')).trim()
}
