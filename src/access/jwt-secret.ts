import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The given secret, or one that is made once and kept in the data folder. Front doors that do not share a data folder
 * need `JWT_SECRET`, or a person signed in at one is a stranger at the next.
 */
export async function ensureJwtSecret(config: { jwtSecret: string | undefined; dataDir: string }): Promise<string> {
  if (config.jwtSecret !== undefined) return config.jwtSecret
  const file = path.join(config.dataDir, 'jwt-secret')
  return (await readSecret(file)) ?? (await makeSecret(file))
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A link to a finished file is all or nothing: of two processes at once one wins and both read the same secret. */
async function makeSecret(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  try {
    await link(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  return (await readFile(file, 'utf8')).trim()
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}
