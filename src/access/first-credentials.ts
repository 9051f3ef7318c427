import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { v7 } from 'uuid'
import type { Config } from '../config'
import { createApiKeyStore } from '../store/api-key-store'
import { createBotStore } from '../store/bot-store'
import type { Prisma, User } from '../store/generated/client'
import { createDatabase } from '../store/prisma'
import { createUserStore } from '../store/user-store'
import { generateApiKey, hashSecret } from './api-key'
import { hashPassword, randomPassword } from './password'

type AdminConfig = Pick<Config, 'adminUsername' | 'adminPassword'>

export interface FirstCredentials {
  /** Given on the first start only; the token is in the fragment, so it reaches no server log. */
  signInUrl: string | undefined
  credentialsPath: string
  username: string
}

const LINK_VALID_MS = 24 * 3_600_000
/** Any constant of our own: whoever holds it makes the first administrator, others wait and find one. */
const FIRST_USER_LOCK = 7_203_311

/** The first embedded start makes an administrator, a bot, a key for every bot and a sign-in link. */
export async function ensureFirstCredentials(options: {
  databaseUrl: string
  config: AdminConfig & Pick<Config, 'dataDir'>
  baseUrl: string
}): Promise<FirstCredentials> {
  const { config } = options
  const credentialsPath = path.join(config.dataDir, 'credentials.json')
  const password = config.adminPassword ?? randomPassword()
  const token = await whenNobodyIsThere(options.databaseUrl, async (db) => {
    const user = await createAdministrator(db, config.adminUsername, password)
    const apiKey = await createAdminKey(db)
    // Before the commit: a crash in between leaves no user, and the next start begins anew and replaces the file.
    await writePrivately(credentialsPath, { api_key: apiKey, username: config.adminUsername, password })
    return createSignInToken(db, user)
  })
  const signInUrl = token === undefined ? undefined : `${options.baseUrl}/#token=${token}`
  return { signInUrl, credentialsPath, username: config.adminUsername }
}

/** Against a cluster: an administrator with the given password when there is no user yet. Says whether it made one. */
export async function ensureAdministrator(options: { databaseUrl: string; config: AdminConfig }): Promise<boolean> {
  const { adminUsername, adminPassword } = options.config
  if (adminPassword === undefined) return false
  const user = await whenNobodyIsThere(options.databaseUrl, (db) =>
    createAdministrator(db, adminUsername, adminPassword),
  )
  return user !== undefined
}

async function whenNobodyIsThere<T>(
  databaseUrl: string,
  work: (db: Prisma.TransactionClient) => Promise<T>,
): Promise<T | undefined> {
  const database = createDatabase(databaseUrl, 2)
  try {
    return await database.prisma.$transaction(
      async (db) => {
        await db.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_USER_LOCK})`
        return (await createUserStore(db).count()) > 0 ? undefined : work(db)
      },
      { timeout: 30_000, maxWait: 10_000 },
    )
  } finally {
    await database.close()
  }
}

async function createAdministrator(db: Prisma.TransactionClient, username: string, password: string): Promise<User> {
  const bots = createBotStore(db)
  if ((await bots.count()) === 0) await bots.create({ uuid: v7(), name: 'Punctual' })
  return createUserStore(db).create({ username, passwordHash: await hashPassword(password) })
}

async function createAdminKey(db: Prisma.TransactionClient): Promise<string> {
  const key = generateApiKey()
  await createApiKeyStore(db).create({
    name: 'First administrator key',
    keyHash: hashSecret(key),
    lastFour: key.slice(-4),
    scopes: ['read', 'send', 'admin'],
    botUuids: [],
  })
  return key
}

async function createSignInToken(db: Prisma.TransactionClient, user: User): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + LINK_VALID_MS)
  await createUserStore(db).addSignInToken({ tokenHash: hashSecret(token), userId: user.id, expiresAt })
  return token
}

async function writePrivately(file: string, content: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.draft`
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  // The mode above counts only for a new file, and the umask may have narrowed it.
  await chmod(draft, 0o600)
  await rename(draft, file)
}
