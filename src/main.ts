import path from 'node:path'
import { ensureFirstCredentials } from './access/first-credentials'
import type { Config } from './config'
import { readConfig } from './config'
import { takeDataFolder } from './embedded/data-folder'
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
  const instance = openInstance(config.dataDir)
  const context = { config, instance, say, signal: shutdown.signal }
  const services = await startServices(context, shutdown)

  const applied = await migrateWhenReachable(services.databaseUrl, say)
  if (applied.length > 0) say(`migrations applied: ${applied.join(', ')}`)
  const url = frontDoorUrl(config.host, port)
  const { databaseUrl } = services
  const credentials = await ensureFirstCredentials({ databaseUrl, config, baseUrl: url })

  const jwtSecret = config.jwtSecret ?? instance.facts.jwtSecret
  await startChildren(childSettings(config, services, { port, jwtSecret }), services, shutdown)
  process.stdout.write(formatSummary({ ...services, ...credentials, url, config }))
}

/** What is given from outside is used as it is; the rest is started here. Temporal is stopped before PostgreSQL. */
async function startServices(context: ServiceContext, shutdown: Shutdown): Promise<Services> {
  const { databaseUrl, temporal } = context.config
  const [ownPostgres, ownTemporal] = await Promise.all([
    databaseUrl === undefined ? keepService('PostgreSQL', startOwnPostgres(context), shutdown) : undefined,
    temporal.address === undefined ? keepService('Temporal', startOwnTemporal(context), shutdown) : undefined,
  ])
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
async function startChildren(settings: Record<string, string>, services: Services, shutdown: Shutdown): Promise<void> {
  const keep = (name: string, script: string) =>
    supervise({
      name,
      say,
      onGiveUp: (error) => shutdown.fail(error),
      async start(signal) {
        await Promise.all(services.supervisors.map((service) => service.whenUp()))
        return forkChild({ file: path.join(__dirname, script), settings, signal })
      },
    })
  const children = [keep('front door', 'server.js'), keep('worker', 'worker.js')]
  shutdown.add(...children)
  await Promise.all(children.map((child) => child.whenUp()))
}

const shutdown = createShutdown(say)
main(shutdown).catch((error: unknown) => shutdown.fail(error))
