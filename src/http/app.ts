import { randomUUID } from 'node:crypto'
import fastifyCors from '@fastify/cors'
import fastifyHelmet from '@fastify/helmet'
import fastifyRateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { guardRoutes } from './auth'
import { refuseBadText } from './bad-text'
import { registerTokens } from './credentials'
import { describeRoutes, serveDocumentation } from './documentation'
import { handleError, handleNotFound } from './error-handler'
import type { FrontDoor } from './front-door'
import { STREAM_TIMINGS } from './http-config'
import type { HttpConfig } from './http-config'
import { loggerOptions, logRequests } from './logging'
import { servePage } from './page'
import { aboutRoutes } from './routes/about'
import { apiKeyRoutes } from './routes/api-keys'
import { automationRoutes } from './routes/automations'
import { authRoutes } from './routes/auth'
import { botChannelRoutes } from './routes/bot-channels'
import { botPlatformRoutes } from './routes/bot-platforms'
import { botRoutes } from './routes/bots'
import { channelInboundRoutes } from './routes/channel-inbound'
import { chatRoutes } from './routes/chat'
import { historyRoutes } from './routes/history'
import { deliveryRoutes } from './routes/deliveries'
import { messageRoutes } from './routes/messages'
import { openAiRoutes } from './routes/openai'
import { operationRoutes } from './routes/operations'
import { pipelineRoutes } from './routes/pipelines'
import { promiseRoutes } from './routes/promises'
import { pushRoutes } from './routes/push'
import { runRoutes } from './routes/runs'
import { runEventRoutes } from './routes/run-events'
import { artifactRoutes } from './routes/artifacts'
import { scheduledMessageRoutes } from './routes/scheduled-messages'
import { sessionEventRoutes } from './routes/session-events'
import { sessionRoutes } from './routes/sessions'
import { taskRoutes } from './routes/tasks'
import { sessionSettingsRoutes } from './routes/session-settings'
import { toolCallRoutes } from './routes/tool-calls'
import { ErrorAnswer } from './schemas/envelope'
import { createSse } from './sse'
import { createValidator } from './validator'

const BODY_LIMIT_BYTES = 256 * 1024

/** Builds the front door's HTTP side; whoever calls it listens and closes. */
export async function createApp(door: FrontDoor, config: HttpConfig): Promise<FastifyInstance> {
  const app = fastify({
    ...loggerOptions(config),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // Session keys are part of paths and may be long once they are encoded.
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: handleError,
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(handleNotFound)
  app.setValidatorCompiler(createValidator())
  app.addSchema(ErrorAnswer)
  await addWalls(app, door, config)
  await describeRoutes(app, door.about.version)
  await addRoutes(app, door, config)
  return app
}

/** The order matters: CORS answers preflights before anyone is asked who they are. */
async function addWalls(app: FastifyInstance, door: FrontDoor, config: HttpConfig): Promise<void> {
  logRequests(app)
  measureRequests(app, door)
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  await app.register(fastifyHelmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })
  if (config.corsOrigins.length > 0) await app.register(fastifyCors, corsOptions(config))
  await app.register(fastifyRateLimit, { global: false })
  await registerTokens(app, config.jwtSecret)
  guardRoutes(app, door.access)
  refuseBadText(app)
}

function corsOptions(config: HttpConfig) {
  return {
    origin: [...config.corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'x-api-key', 'content-type', 'last-event-id', 'idempotency-key'],
    exposedHeaders: ['x-request-id', 'retry-after'],
  }
}

async function addRoutes(app: FastifyInstance, door: FrontDoor, config: HttpConfig): Promise<void> {
  const openSse = createSse({ ...STREAM_TIMINGS, ...config.streams })
  await app.register(chatRoutes(door, openSse))
  await app.register(messageRoutes(door))
  await app.register(historyRoutes(door))
  await app.register(pushRoutes(door))
  await app.register(sessionRoutes(door))
  await app.register(sessionSettingsRoutes(door))
  await app.register(toolCallRoutes(door))
  await app.register(sessionEventRoutes(door, openSse))
  await app.register(scheduledMessageRoutes(door))
  await app.register(promiseRoutes(door))
  await app.register(taskRoutes(door))
  await app.register(automationRoutes(door))
  await app.register(runRoutes(door))
  await app.register(runEventRoutes(door, openSse))
  await app.register(artifactRoutes(door))
  await app.register(authRoutes(door))
  await app.register(botRoutes(door))
  await app.register(pipelineRoutes(door))
  await app.register(botChannelRoutes(door))
  await app.register(botPlatformRoutes(door))
  await app.register(channelInboundRoutes(door))
  await app.register(deliveryRoutes(door))
  await app.register(apiKeyRoutes(door))
  await app.register(openAiRoutes(door, openSse))
  await app.register(aboutRoutes(door))
  await app.register(operationRoutes(door, config))
  await serveDocumentation(app)
  await servePage(app)
}

function measureRequests(app: FastifyInstance, { metrics }: FrontDoor): void {
  app.addHook('onResponse', async (request, reply) => {
    if (String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')) return
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    metrics.observeRequest({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 })
  })
}
