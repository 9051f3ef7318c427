import { parseArgs } from 'node:util'
import { createAdministration } from './build/administration'
import { createStorage } from './build/storage'
import { CHANNEL_OPTIONS, USAGE, runCommand } from './commands'
import { ConfigError, readConfig } from './config'
import { findDatabase } from './embedded/find-database'
import { AppError, messageOf } from './errors'
import { isStorageAway } from './engine/storage-away'

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
      ...Object.fromEntries(CHANNEL_OPTIONS.map((name) => [name, { type: 'string' } as const])),
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals.length === 0) return print(USAGE)
  const config = readConfig()
  const { database, stores } = createStorage({ databaseUrl: await findDatabase(config), poolSize: 2 })
  const { access, pipelines, botPlatforms, egress } = await createAdministration(config, stores)
  try {
    const parts = { access, pipelines, platforms: botPlatforms, secret: config.commandSecret }
    const answer = await runCommand(parts, positionals, values)
    print(values.json ? JSON.stringify(answer.data, null, 2) : answer.text)
  } finally {
    await egress.close()
    await database.close()
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
})

/** In our words, or in the first line of whoever threw it: excerpts and stacks of libraries help nobody here. */
function explain(error: unknown): string {
  if (error instanceof AppError) return [error.message, error.hint].filter(Boolean).join('\n')
  if (error instanceof ConfigError) return error.message
  if (isStorageAway(error)) return 'PostgreSQL does not answer. Is it running, and does DATABASE_URL name it?'
  const lines = messageOf(error)
    .split('\n')
    .map((line) => line.trim())
  return lines.findLast((line) => line !== '') ?? 'it failed without a word'
}
