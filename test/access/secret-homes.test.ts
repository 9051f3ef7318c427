import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureJwtSecret, sealingSecrets } from '../../src/access/jwt-secret'
import { createSecretBox } from '../../src/access/secret-box'
import { openInstance } from '../../src/embedded/instance'
import { createPlatformAccounts } from '../../src/channels/platform-accounts'
import { createBotChannelStore } from '../../src/channels/bot-channel-store'
import { createDatabase } from '../../src/engine/database'
import { ensureBuilt } from '../support/processes'
import { createTestDatabase } from '../support/services'
import { TOKEN } from '../support/telegram-server'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'punctual-secrets-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const none = { jwtSecret: undefined, secretKey: undefined }
const boxOf = async (settings = {}) => createSecretBox(...(await sealingSecrets({ ...none, dataDir, ...settings })))

test('the processes of "npm start" open what the command line sealed', async () => {
  const { url, drop } = await createTestDatabase()
  const database = createDatabase(url, 2)
  await database.prisma.bot.create({ data: { uuid: 'bot-a', name: 'A' } })
  const { jwtSecret } = openInstance(dataDir).facts
  const cli = path.join(await ensureBuilt(), 'src/cli.js')
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PUNCTUAL_DATA_DIR: dataDir, DATABASE_URL: url, PUNCTUAL_SECRET: TOKEN }
  const { status, stderr } = spawnSync(process.execPath, [cli, 'channels', 'set', 'bot-a', 'telegram'], {
    ...{ env, encoding: 'utf8' },
  })
  expect([status, stderr]).toEqual([0, ''])
  // A child of "npm start" is given this secret, and the folder.
  const box = await boxOf({ jwtSecret, secretKey: jwtSecret })
  const accounts = createPlatformAccounts({ store: createBotChannelStore(database.prisma), box })
  expect((await accounts.find('bot-a', 'telegram'))?.secrets()).toMatchObject({ token: TOKEN })
  await database.close()
  await drop()
})

test('every process on a folder uses one secret, whichever way it was started first', async () => {
  const first = await ensureJwtSecret({ jwtSecret: undefined, dataDir })
  expect(openInstance(dataDir).facts.jwtSecret).toBe(first)
  expect(await ensureJwtSecret({ jwtSecret: undefined, dataDir })).toBe(first)
})

test('an installation with both old homes seals with one and opens what either sealed', async () => {
  const { jwtSecret } = openInstance(dataDir).facts
  await writeFile(path.join(dataDir, 'jwt-secret'), 'of-the-other-home\n')
  const box = await boxOf()
  expect(createSecretBox(jwtSecret).open(box.seal('x', 'place'), 'place')).toBe('x')
  expect(box.open(createSecretBox('of-the-other-home').seal('y', 'place'), 'place')).toBe('y')
  expect((await boxOf({ jwtSecret, secretKey: jwtSecret })).open(box.seal('z', 'place'), 'place')).toBe('z')
})
