import { parseArgs } from 'node:util'
import { createAccess } from './access/access'
import { runCommand, USAGE } from './access/commands'
import { readConfig } from './config'
import { findDatabase } from './embedded/find-database'
import { AppError } from './errors'
import { createPipelineDirectory } from './planner/pipeline-directory'
import { createApiKeyStore } from './store/api-key-store'
import { createBotStore } from './store/bot-store'
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
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals.length === 0) return print(USAGE)
  const database = createDatabase(await findDatabase(readConfig()), 2)
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
    const answer = await runCommand({ access, pipelines }, positionals, values)
    print(values.json ? JSON.stringify(answer.data, null, 2) : answer.text)
  } finally {
    await database.close()
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

main().catch((error: unknown) => {
  const hint = error instanceof AppError && error.hint !== undefined ? `\n${error.hint}` : ''
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${hint}\n`)
  process.exitCode = 1
})
