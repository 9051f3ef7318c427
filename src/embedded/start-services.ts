import path from 'node:path'
import type { Config } from '../config'
import { ensureDatabase } from './ensure-database'
import type { Instance } from './instance'
import { findFreePort, freePortNear, PortTakenError } from './ports'
import type { EmbeddedPostgres } from './postgres'
import { startPostgres } from './postgres'
import { findTemporalBinary } from './temporal-binary'
import type { EmbeddedTemporal } from './temporal-server'
import { startTemporalServer } from './temporal-server'

const DATABASE = 'punctual'
const PORT_ATTEMPTS = 5

export interface ServiceContext {
  config: Config
  instance: Instance
  say(line: string): void
  signal: AbortSignal
}

/** A running service, where it is reached, and how to start it again at the same place. */
export interface StartedService<Service> {
  service: Service
  restart(): Promise<Service>
}

export async function startOwnPostgres(
  context: ServiceContext,
): Promise<StartedService<EmbeddedPostgres> & { url: string }> {
  const { config, instance, say } = context
  const startOn = (port: number) =>
    startPostgres({
      dir: path.join(config.dataDir, 'postgres'),
      port,
      password: instance.facts.postgresPassword,
    })
  let port = instance.facts.postgresPort ?? (await freePortNear(config.embedded.postgresPort))
  const service = await retryOnTakenPort(
    () => {
      instance.remember({ postgresPort: port })
      return startOn(port)
    },
    async (taken) => {
      port = await findFreePort()
      say(`port ${taken} is in use; PostgreSQL takes ${port}`)
    },
  )
  await ensureDatabase(service.url('postgres'), DATABASE)
  return { service, url: service.url(DATABASE), restart: () => startOn(port) }
}

export async function startOwnTemporal(context: ServiceContext): Promise<StartedService<EmbeddedTemporal>> {
  const { config, instance, say, signal } = context
  const binary = await findTemporalBinary({ cacheDir: config.embedded.cacheDir, env: process.env, say, signal })
  const startOn = (port: number, uiPort: number) =>
    startTemporalServer({
      binary,
      dir: path.join(config.dataDir, 'temporal'),
      port,
      uiPort,
      namespaces: [config.temporal.namespace],
      say,
    })
  let port = instance.facts.temporalPort ?? (await freePortNear(config.embedded.temporalPort))
  let uiPort = instance.facts.temporalUiPort ?? (await freePortNear(config.embedded.temporalUiPort))
  const service = await retryOnTakenPort(
    () => {
      instance.remember({ temporalPort: port, temporalUiPort: uiPort })
      return startOn(port, uiPort)
    },
    async (taken) => {
      if (taken === port) port = await findFreePort()
      else uiPort = await findFreePort()
      say(`port ${taken} is in use; Temporal takes ${port}, its Web UI ${uiPort}`)
    },
  )
  return { service, restart: () => startOn(port, uiPort) }
}

/** A port that was free a moment ago may be taken by another instance that starts at the same time. */
async function retryOnTakenPort<Service>(
  start: () => Promise<Service>,
  chooseAnother: (taken: number) => Promise<void>,
): Promise<Service> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt >= PORT_ATTEMPTS) throw error
      await chooseAnother(error.port)
    }
  }
}
