import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { apiKeyRoutes } from '../access/routes/api-keys'
import { authRoutes } from '../access/routes/auth'
import { botRoutes } from '../access/routes/bots'
import { usageRoutes } from '../access/routes/usage'
import { automationRoutes } from '../automations/routes'
import { botChannelRoutes } from '../channels/routes/bot-channels'
import { channelInboundRoutes } from '../channels/routes/channel-inbound'
import { deliveryRoutes } from '../channels/routes/deliveries'
import { chatRoutes } from '../conversation/routes/chat'
import { historyRoutes } from '../conversation/routes/history'
import { messageRoutes } from '../conversation/routes/messages'
import { openAiRoutes } from '../conversation/routes/openai'
import { sessionEventRoutes } from '../conversation/routes/session-events'
import { sessionSettingsRoutes } from '../conversation/routes/session-settings'
import { sessionRoutes } from '../conversation/routes/sessions'
import { toolCallRoutes } from '../conversation/routes/tool-calls'
import { createApp } from '../http/app'
import type { HttpConfig } from '../http/http-config'
import { aboutRoutes } from '../http/routes/about'
import { operationRoutes } from '../http/routes/operations'
import type { Health } from '../http/routes/operations'
import type { OpenSse } from '../http/sse'
import { pipelineRoutes } from '../planner/pipeline-routes'
import { promiseRoutes } from '../promises/routes'
import { pushRoutes } from '../push/routes'
import { scheduledMessageRoutes } from '../reminders/routes'
import { artifactRoutes } from '../runs/routes/artifacts'
import { runEventRoutes } from '../runs/routes/run-events'
import { runRoutes } from '../runs/routes/runs'
import { taskRoutes } from '../tasks/routes'
import { version } from '../version'
import type { Product } from './product'

export type HttpParts = Omit<ReturnType<typeof httpPartsOf>, 'health'> & { health: Health }

/** What the routes need of a product. */
export function httpPartsOf(product: Product) {
  const { stores, database, scheduler, config, model } = product
  return {
    access: product.access,
    sessions: product.sessions,
    chat: product.chat,
    history: product.history,
    push: product.push,
    pipelines: product.pipelines,
    live: product.live,
    scheduledMessages: product.scheduledMessages,
    tasks: product.tasks,
    automations: product.automations,
    runs: product.runs,
    botPlatforms: product.botPlatforms,
    inbound: product.inbound,
    overlaysOf: product.overlaysOf,
    artifactLinks: product.signedLinks,
    messages: stores.messages,
    notifications: stores.notifications,
    zones: stores.zones,
    events: stores.events,
    toolCalls: stores.toolCalls,
    usage: stores.usage,
    promises: stores.promises,
    artifacts: stores.artifacts,
    deliveries: stores.deliveries,
    metrics: product.processMetrics,
    health: {
      postgres: async () => void (await database.pool.query('SELECT 1')),
      temporal: () => scheduler.check(),
      channels: () => stores.channelLeases.health(),
    },
    about: {
      version,
      model: model.name,
      temporalUiUrl: config.temporal.uiUrl,
      temporalNamespace: config.temporal.namespace,
    },
  }
}

/** The app with the routes of every feature. */
export const createHttp = (parts: HttpParts, config: HttpConfig): Promise<FastifyInstance> =>
  createApp(parts, config, (openSse) => routesOf(parts, config, openSse))

export function routesOf(parts: HttpParts, config: HttpConfig, openSse: OpenSse): FastifyPluginAsync[] {
  return [
    chatRoutes(parts, openSse),
    messageRoutes(parts),
    historyRoutes(parts),
    pushRoutes(parts),
    sessionRoutes(parts),
    sessionSettingsRoutes(parts),
    toolCallRoutes(parts),
    sessionEventRoutes(parts, openSse),
    scheduledMessageRoutes(parts),
    promiseRoutes(parts),
    taskRoutes(parts),
    automationRoutes(parts),
    runRoutes(parts),
    runEventRoutes(parts, openSse),
    artifactRoutes(parts),
    authRoutes(parts),
    botRoutes(parts),
    pipelineRoutes(parts),
    botChannelRoutes(parts),
    channelInboundRoutes(parts),
    deliveryRoutes(parts),
    apiKeyRoutes(parts),
    openAiRoutes(parts, openSse),
    usageRoutes(parts),
    aboutRoutes(parts),
    operationRoutes(parts, config),
  ]
}
