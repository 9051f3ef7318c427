import { parseArgs } from 'node:util'
import { createAccess } from './access/access'
import { ensureJwtSecret } from './access/jwt-secret'
import { createSecretBox } from './access/secret-box'
import { createBotChannels } from './channels/bot-channels'
import { createBotPlatforms } from './channels/bot-platforms'
import { createPlatformAccounts } from './channels/platform-accounts'
import { createPlatforms } from './channels/platforms'
import { createWebhookEndpoints } from './channels/webhook-endpoints'
import { runCommand, USAGE } from './access/commands'
import { readConfig } from './config'
import { createEgress } from './egress/egress'
import { findDatabase } from './embedded/find-database'
import { AppError } from './errors'
import { createPipelineDirectory } from './planner/pipeline-directory'
import { createApiKeyStore } from './store/api-key-store'
import { createBotChannelStore } from './store/bot-channel-store'
import { createBotStore } from './store/bot-store'
import { createChannelLeaseStore } from './store/channel-lease-store'
import { createPipelineStore } from './store/pipeline-store'
import { createDatabase } from './store/prisma'
import { createPromiseStore } from './store/promise-store'
import { createUserStore } from './store/user-store'

/** `npm run -s punctual -- keys create …`: keys and bots by hand, on the database of DATABASE_URL or of the data folder. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scope: { type: 'string' },
      bot: { type: 'string', multiple: true },
      uuid: { type: 'string' },
      pipeline: { type: 'string' },
      url: { type: 'string' },
      mode: { type: 'string' },
      'webhook-url': { type: 'string' },
      'api-root': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals.length === 0) return print(USAGE)
  const config = readConfig()
  const database = createDatabase(await findDatabase(config), 2)
  const egress = createEgress({ trustedHosts: config.trustedEgressHosts })
  try {
    const { prisma } = database
    const pipelines = createPipelineDirectory(createPipelineStore(prisma))
    const promises = createPromiseStore(database)
    const access = createAccess(
      { users: createUserStore(prisma), keys: createApiKeyStore(prisma), bots: createBotStore(prisma) },
      {
        knowsPipeline: pipelines.knows,
        hasPromises: async (uuid) => (await promises.list({ bots: [uuid], state: 'pending', limit: 1 })).length > 0,
      },
    )
    const box = createSecretBox(config.secretKey ?? (await ensureJwtSecret(config)))
    const store = createBotChannelStore(prisma)
    const endpoints = createWebhookEndpoints({ store, box })
    const channels = createBotChannels({ bots: createBotStore(prisma), endpoints, egress })
    const accounts = createPlatformAccounts({ store, box })
    const platforms = createBotPlatforms({
      requireBot: channels.requireBot,
      accounts,
      platforms: createPlatforms({ accounts, egress }),
      leases: createChannelLeaseStore(database),
    })
    const parts = { access, pipelines, channels, platforms, secret: config.commandSecret }
    const answer = await runCommand(parts, positionals, values)
    print(values.json ? JSON.stringify(answer.data, null, 2) : answer.text)
  } finally {
    await egress.close()
    await database.close()
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

main().catch((error: unknown) => {
  const hint = error instanceof AppError && error.hint !== undefined ? `\n${error.hint}` : ''
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${hint}\n`)
  process.exitCode = 1
})
