import { ensureFirstCredentials } from './access'
import { readConfig } from './config'
import { frontDoorUrl } from './embedded/front-door-port'
import { migrateWhenReachable } from './embedded/migrate'
import { say } from './embedded/say'
import { messageOf } from './errors'

/**
 * `npm run migrate`: brings the database of DATABASE_URL up to date and, when it has nobody yet, makes the first
 * administrator, bot and key; `npm start` does both for its own by itself.
 */
async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to the database that is to be migrated')
  const applied = await migrateWhenReachable(databaseUrl, say)
  say(applied.length === 0 ? 'the database is up to date' : `migrations applied: ${applied.join(', ')}`)
  const baseUrl = config.publicUrl ?? frontDoorUrl(config.host, config.port)
  const { signInUrl, credentialsPath, username } = await ensureFirstCredentials({ databaseUrl, config, baseUrl })
  if (signInUrl === undefined) return
  say(`the first administrator is "${username}"; password and API key are in ${credentialsPath}`)
  // A link that lets an administrator in belongs on a terminal, not in the logs of a container.
  if (process.stdout.isTTY) process.stdout.write(`Sign in once, when the front door runs: ${signInUrl}\n`)
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.exitCode = 1
})
