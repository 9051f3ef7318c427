import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Config } from '../config'
import { createApiKeyStore } from './api-key-store'
import { createBotStore } from './bot-store'
import type { Prisma, User } from '../engine/generated/client'
import { createDatabase } from '../engine/database'
import { writeWhole } from '../engine/files'
import { createUserStore } from './user-store'
import { generateApiKey, hashSecret } from './api-key'
import { credentialsFile } from './credentials-file'
import type { FirstCredentials } from './credentials-file'
import { hashPassword, randomPassword } from './password'

type AdminConfig = Pick<Config, 'adminUsername' | 'adminPassword'>

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
  const credentialsPath = credentialsFile(config.dataDir)
  const password = config.adminPassword ?? randomPassword()
  const token = await whenNobodyIsThere(options.databaseUrl, async (db) => {
    const user = await createAdministrator(db, config.adminUsername, password)
    const apiKey = await createAdminKey(db)
    // Before the commit: a crash in between leaves no user, and the next start begins anew and replaces the file.
    const credentials = { api_key: apiKey, username: config.adminUsername, password }
    await writeWhole(credentialsPath, `${JSON.stringify(credentials, null, 2)}\n`)
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
  const link = { tokenHash: hashSecret(token), userId: user.id, validMs: LINK_VALID_MS }
  await createUserStore(db).addSignInToken(link)
  return token
}
