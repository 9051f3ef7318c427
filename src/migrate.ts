import { readConfig } from './config'
import { migrateWhenReachable } from './embedded/migrate'
import { say } from './embedded/say'

/** `npm run migrate`: brings the database of DATABASE_URL up to date; `npm start` does that for its own by itself. */
async function main(): Promise<void> {
  const { databaseUrl } = readConfig()
  if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to the database that is to be migrated')
  const applied = await migrateWhenReachable(databaseUrl, say)
  say(applied.length === 0 ? 'the database is up to date' : `migrations applied: ${applied.join(', ')}`)
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
