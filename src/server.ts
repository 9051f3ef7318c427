import { ensureAdministrator } from './access/first-credentials'
import { ensureJwtSecret } from './access/jwt-secret'
import { readConfig } from './config'
import { createDependencies } from './dependencies'
import type { Dependencies } from './dependencies'
import { createApp } from './http/app'
import type { FrontDoor } from './http/front-door'
import { runUntilStopped, tellParent } from './process-life'
import { version } from './version'

/** The front door: settings → dependencies → app → listen → drain. */
async function main(): Promise<void> {
  const config = readConfig()
  const parts = await createDependencies(config)
  const jwtSecret = await ensureJwtSecret(config)
  if (config.databaseUrl) await ensureAdministrator({ databaseUrl: config.databaseUrl, config })
  const app = await createApp(frontDoor(parts), { ...config, jwtSecret, logger: parts.logger })
  const url = await app.listen({ host: config.host, port: config.port })
  parts.dispatcher.kick()
  void parts.unwritten.drain()
  runUntilStopped(parts.logger, async () => {
    await app.close()
    await parts.close()
  })
  tellParent({ type: 'ready', url })
}

export function frontDoor(parts: Dependencies): FrontDoor {
  const { access, sessions, stores, live, chat, scheduler, database, processMetrics, model, config } = parts
  return {
    access,
    sessions,
    messages: stores.messages,
    history: parts.history,
    push: parts.push,
    profiles: parts.pipelines,
    notifications: stores.notifications,
    events: stores.events,
    toolCalls: stores.toolCalls,
    live,
    chat,
    scheduledMessages: parts.scheduledMessages,
    botChannels: parts.botChannels,
    botPlatforms: parts.botPlatforms,
    inbound: parts.inboundDesk,
    deliveries: stores.deliveries,
    promises: stores.promises,
    pipelines: parts.pipelineNames,
    tasks: parts.tasks,
    runs: parts.runs,
    automations: parts.automations,
    overlaysOf: (session) => parts.overlaysOf({ session }),
    artifacts: stores.artifacts,
    health: {
      postgres: async () => void (await database.pool.query('SELECT 1')),
      temporal: () => scheduler.check(),
      channels: () => stores.channelLeases.health(),
    },
    metrics: processMetrics,
    about: {
      version,
      model: model.name,
      temporalUiUrl: config.temporal.uiUrl,
      temporalNamespace: config.temporal.namespace,
    },
  }
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`The front door cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
