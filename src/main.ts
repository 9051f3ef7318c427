import path from 'node:path'
import type { FirstCredentials } from './access/credentials-file'
import { ensureJwtSecret } from './access'
import type { Config } from './config'
import { readConfig } from './config'
import { takeDataFolder } from './embedded/data-folder'
import { fillDemo } from './embedded/demo'
import { firstSignIn } from './embedded/first-sign-in'
import { forkChild } from './embedded/fork-child'
import { frontDoorUrl, settleFrontDoorPort } from './embedded/front-door-port'
import { openInstance } from './embedded/instance'
import { keepService } from './embedded/keep-service'
import { migrateWhenReachable } from './embedded/migrate'
import { say } from './embedded/say'
import type { Shutdown } from './embedded/shutdown'
import { createShutdown } from './embedded/shutdown'
import type { ServiceContext } from './embedded/start-services'
import { startOwnPostgres, startOwnTemporal } from './embedded/start-services'
import { formatSummary } from './embedded/summary'
import type { Supervisor } from './embedded/supervise'
import { supervise } from './embedded/supervise'

interface Services {
  databaseUrl: string
  temporalAddress: string
  temporalUiUrl: string | undefined
  supervisors: Supervisor[]
}

/** `npm start`: PostgreSQL, Temporal, a front door and a worker on this machine, kept alive until Ctrl-C. */
async function main(shutdown: Shutdown): Promise<void> {
  const config = readConfig()
  const lock = takeDataFolder(config.dataDir)
  shutdown.add({ stop: () => lock.release(), kill: () => lock.release() })
  const port = await settleFrontDoorPort(config, lock.takenOver)
  const url = frontDoorUrl(config.host, port)
  const context = { config, instance: openInstance(config.dataDir), say, signal: shutdown.signal }
  const prepared = prepare(context, { shutdown, url, port })
  const children = startChildren(prepared, shutdown)
  const { services, credentials } = await prepared
  await Promise.all(children.map((child) => child.whenUp()))
  process.stdout.write(formatSummary({ ...services, ...credentials, url, config }))
  if (!process.argv.includes('--demo')) return
  const { credentialsPath } = credentials
  const lines = await fillDemo({ url, credentialsPath }).catch((error: unknown) => [
    `The demo failed: ${String(error)}`,
  ])
  process.stdout.write(`${lines.join('\n')}\n`)
}

interface Prepared {
  services: Services
  credentials: FirstCredentials
  settings: Record<string, string>
}

/** The services, and a database that is up to date and knows an administrator. */
async function prepare(
  context: ServiceContext,
  { shutdown, url, port }: { shutdown: Shutdown; url: string; port: number },
): Promise<Prepared> {
  const { config } = context
  const services = await startServices(context, shutdown)
  const applied = await migrateWhenReachable(services.databaseUrl, say)
  if (applied.length > 0) say(`the database is made: ${applied.length} migrations applied`)
  const credentials = await firstSignIn({ databaseUrl: services.databaseUrl, config, baseUrl: url })
  const jwtSecret = await ensureJwtSecret(config)
  return { services, credentials, settings: childSettings(config, services, { port, jwtSecret }) }
}

/** What is given from outside is used as it is; the rest is started here, and stopped together after the children. */
async function startServices(context: ServiceContext, shutdown: Shutdown): Promise<Services> {
  const { databaseUrl, temporal } = context.config
  const postgres =
    databaseUrl === undefined ? keepService('PostgreSQL', startOwnPostgres(context), shutdown) : undefined
  const server =
    temporal.address === undefined ? keepService('Temporal', startOwnTemporal(context), shutdown) : undefined
  shutdown.add(...[postgres, server].flatMap((kept) => kept?.closer ?? []))
  const [ownPostgres, ownTemporal] = await Promise.all([postgres?.up, server?.up])
  return {
    databaseUrl: databaseUrl ?? ownPostgres?.started.url ?? '',
    temporalAddress: temporal.address ?? ownTemporal?.started.service.address ?? '',
    temporalUiUrl: temporal.uiUrl ?? ownTemporal?.started.service.uiUrl,
    supervisors: [ownPostgres, ownTemporal].flatMap((own) => (own === undefined ? [] : [own.supervisor])),
  }
}

function childSettings(config: Config, services: Services, secrets: { port: number; jwtSecret: string }) {
  return {
    HOST: config.host,
    PORT: String(secrets.port),
    JWT_SECRET: secrets.jwtSecret,
    PUNCTUAL_DATA_DIR: config.dataDir,
    DATABASE_URL: services.databaseUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    ...(services.temporalUiUrl === undefined ? {} : { TEMPORAL_UI_URL: services.temporalUiUrl }),
  }
}

/** A child waits for the services first: a database that recovers is no reason to fail. */
function startChildren(prepared: Promise<Prepared>, shutdown: Shutdown): Supervisor[] {
  const settings = async () => {
    // What could not be prepared ends everything; until then a child just waits.
    const { services, settings } = await prepared.catch(() => new Promise<never>(() => undefined))
    await Promise.all(services.supervisors.map((service) => service.whenUp()))
    return settings
  }
  const keep = (name: string, script: string) =>
    supervise({
      name,
      say,
      onGiveUp: (error) => shutdown.fail(error),
      start: (signal) => forkChild({ file: path.join(__dirname, script), settings, signal }),
    })
  const children = [keep('front door', 'server.js'), keep('worker', 'worker.js')]
  shutdown.add(...children)
  return children
}

if (require.main === module) {
  const shutdown = createShutdown(say)
  main(shutdown).catch((error: unknown) => shutdown.fail(error))
}
