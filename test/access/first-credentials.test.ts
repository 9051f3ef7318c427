import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { createAccess } from '../../src/access/access'
import { ensureAdministrator, ensureFirstCredentials } from '../../src/access/first-credentials'
import { ensureJwtSecret } from '../../src/access/jwt-secret'
import { createApiKeyStore } from '../../src/access/api-key-store'
import { createBotStore } from '../../src/access/bot-store'
import { createDatabase } from '../../src/engine/database'
import type { Database } from '../../src/engine/database'
import { createUserStore } from '../../src/access/user-store'
import { ensureBuilt } from '../support/processes'
import { createTestDatabase, createTestFolder } from '../support/services'

let database: Database
let databaseUrl: string
let dataDir: string
let drop: () => Promise<void>

beforeEach(async () => {
  ;({ url: databaseUrl, drop } = await createTestDatabase())
  database = createDatabase(databaseUrl, 3)
  dataDir = path.join(createTestFolder('credentials'), 'data')
})
afterEach(async () => {
  await database.close()
  await drop()
})

const begin = (config: { adminPassword?: string } = {}) =>
  ensureFirstCredentials({
    databaseUrl,
    config: { adminUsername: 'admin', adminPassword: config.adminPassword, dataDir },
    baseUrl: 'http://127.0.0.1:3000',
  })
const openAccess = () => {
  const { prisma } = database
  return createAccess({ users: createUserStore(prisma), keys: createApiKeyStore(prisma), bots: createBotStore(prisma) })
}
interface Credentials {
  api_key: string
  username: string
  password: string
}
const readCredentials = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Credentials

test('the first start makes an administrator, a key, a bot and a link, and each works', async () => {
  const { signInUrl, credentialsPath, username } = await begin()
  expect(username).toBe('admin')
  expect((await stat(credentialsPath)).mode & 0o777).toBe(0o600)
  const credentials = await readCredentials(credentialsPath)
  const access = openAccess()
  const user = await access.login('admin', credentials.password)
  const caller = await access.authenticate({ kind: 'api_key', key: credentials.api_key })
  expect(caller).toMatchObject({ bots: 'all', scopes: ['read', 'send', 'admin'] })
  expect(await access.listBots(caller)).toMatchObject([{ name: 'Punctual', pipelineUuid: 'assistant' }])
  const [, token] = /^http:\/\/127\.0\.0\.1:3000\/#token=([\w-]+)$/.exec(signInUrl ?? '') ?? []
  expect(await access.loginWithToken(token ?? '')).toMatchObject({ id: user.id })
  await expect(access.loginWithToken(token ?? '')).rejects.toMatchObject({ code: 'unauthorized' })
})

test('later starts change nothing, even when the file is gone', async () => {
  const { credentialsPath } = await begin()
  const before = await readFile(credentialsPath, 'utf8')
  expect((await begin()).signInUrl).toBeUndefined()
  expect(await readFile(credentialsPath, 'utf8')).toBe(before)
  await rm(credentialsPath)
  expect((await begin()).signInUrl).toBeUndefined()
  await expect(stat(credentialsPath)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('of many first starts at once one makes the credentials, and the file is of that one', async () => {
  const starts = await Promise.all(Array.from({ length: 5 }, () => begin()))
  expect(starts.filter(({ signInUrl }) => signInUrl !== undefined)).toHaveLength(1)
  const { prisma } = database
  expect(await Promise.all([prisma.user.count(), prisma.apiKey.count(), prisma.bot.count()])).toEqual([1, 1, 1])
  const { api_key: key } = await readCredentials(path.join(dataDir, 'credentials.json'))
  await openAccess().authenticate({ kind: 'api_key', key })
  expect(await readdir(dataDir)).toEqual(['credentials.json'])
})

test('a start that fails before its commit is made good by the next', async () => {
  await database.pool.query('ALTER TABLE sign_in_tokens RENAME TO elsewhere')
  await expect(begin()).rejects.toThrow()
  await database.pool.query('ALTER TABLE elsewhere RENAME TO sign_in_tokens')
  const { credentialsPath, signInUrl } = await begin()
  expect(signInUrl).toBeDefined()
  const { password } = await readCredentials(credentialsPath)
  await openAccess().login('admin', password)
})

test('a given password is taken', async () => {
  await begin({ adminPassword: 'given by the operator' })
  await openAccess().login('admin', 'given by the operator')
})

test('against a cluster an administrator is made only with a given password, and once', async () => {
  const make = (adminPassword: string | undefined) =>
    ensureAdministrator({ databaseUrl, config: { adminUsername: 'boss', adminPassword } })
  expect(await make(undefined)).toBe(false)
  expect(await make('given')).toBe(true)
  expect(await make('another')).toBe(false)
  await openAccess().login('boss', 'given')
  expect(await database.prisma.bot.count()).toBe(1)
})

test('the token secret is made once, kept private, and shared by all who start at once', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => ensureJwtSecret({ jwtSecret: undefined, dataDir })))
  expect(new Set(secrets).size).toBe(1)
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
  const file = path.join(dataDir, 'jwt-secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual(['jwt-secret'])
  expect(await ensureJwtSecret({ jwtSecret: 'given', dataDir })).toBe('given')
})

test('the link that signs an administrator in is written to no log: only a terminal shows it', async () => {
  const { PATH, HOME } = process.env
  const script = path.join(await ensureBuilt(), 'src/migrate.js')
  const env = { PATH, HOME, DATABASE_URL: databaseUrl, PUNCTUAL_DATA_DIR: dataDir }
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8', env })
  expect(status).toBe(0)
  expect(stdout + stderr).toContain('the first administrator is "admin"')
  expect(stdout + stderr).not.toContain('#token=')
}, 120_000)
