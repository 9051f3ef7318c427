import { parseArgs } from 'node:util'
import { ensureFirstCredentials } from './access/first-credentials'
import { readConfig } from './config'
import { frontDoorUrl } from './embedded/front-door-port'
import { migrateWhenReachable } from './embedded/migrate'
import { say } from './embedded/say'

/**
 * `npm run migrate`: brings the database of DATABASE_URL up to date; `npm start` does that for its own by itself. With
 * `--first-credentials` it also makes the administrator and the key of a database that has nobody yet.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'first-credentials': { type: 'boolean' } } })
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to the database that is to be migrated')
  const applied = await migrateWhenReachable(databaseUrl, say)
  say(applied.length === 0 ? 'the database is up to date' : `migrations applied: ${applied.join(', ')}`)
  if (values['first-credentials'] !== true) return
  const baseUrl = frontDoorUrl(config.host, config.port)
  const { signInUrl, credentialsPath } = await ensureFirstCredentials({ databaseUrl, config, baseUrl })
  if (signInUrl !== undefined) say(`the first credentials are in ${credentialsPath}; sign in once by ${signInUrl}`)
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
