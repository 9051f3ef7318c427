import { randomUUID } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyCors from '@fastify/cors'
import type { FastifyCompressOptions } from '@fastify/compress'
import fastifyHelmet from '@fastify/helmet'
import fastifyRateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { LogController } from 'fastify'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { guardRoutes } from './auth'
import { refuseBadText } from './bad-text'
import { registerTokens } from './credentials'
import { describeRoutes, serveDocumentation } from './documentation'
import { createNotFoundHandler, handleError } from './error-handler'
import { STREAM_TIMINGS } from './http-config'
import type { HttpConfig } from './http-config'
import { loggerOptions, logRequests } from './logging'
import { servePage } from './page'
import { nameSessions } from './session-names'
import { ErrorAnswer } from './schemas/envelope'
import type { Access } from '../access/access'
import type { Metrics } from '../metrics/process-metrics'
import type { About } from './routes/about'
import { createSse } from './sse'
import type { OpenSse } from './sse'
import { createSerializerFactory } from './serializer'
import { createValidator } from './validator'

const BODY_LIMIT_BYTES = 256 * 1024
/** Shorter answers gain nothing. Streams say what they have at once, and page files are compressed by the build. */
const COMPRESSED = {
  threshold: 1_024,
  encodings: ['br', 'gzip'],
  customTypes: /^application\/json/,
} satisfies FastifyCompressOptions

export interface AppParts {
  access: Access
  metrics: Metrics
  about: About
}

/** Builds the front door's HTTP side around the routes it is given; whoever calls it listens and closes. */
export async function createApp(
  parts: AppParts,
  config: HttpConfig,
  routesWith: (openSse: OpenSse) => FastifyPluginAsync[],
): Promise<FastifyInstance> {
  const app = fastify({
    ...loggerOptions(config),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Session keys are part of paths and may be long once they are encoded.
    routerOptions: { maxParamLength: 2_048 },
    frameworkErrors: handleError,
    schemaController: { compilersFactory: { buildSerializer: createSerializerFactory() } },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(createNotFoundHandler(collectMethods(app)))
  // The API speaks JSON; what comes as plain text is refused by its type.
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(createValidator())
  app.addSchema(ErrorAnswer)
  await addGuards(app, parts, config)
  await describeRoutes(app, parts.about.version)
  for (const routes of routesWith(createSse({ ...STREAM_TIMINGS, ...config.streams }))) await app.register(routes)
  await serveDocumentation(app)
  await servePage(app)
  return app
}

/** The order matters: CORS answers preflights before anyone is asked who they are. */
async function addGuards(app: FastifyInstance, parts: AppParts, config: HttpConfig): Promise<void> {
  logRequests(app)
  measureRequests(app, parts.metrics)
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  await app.register(fastifyHelmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })
  if (config.corsOrigins.length > 0) await app.register(fastifyCors, corsOptions(config))
  await app.register(fastifyCompress, COMPRESSED)
  await app.register(fastifyRateLimit, { global: false })
  await registerTokens(app, config.jwtSecret)
  guardRoutes(app, parts.access)
  refuseBadText(app)
  nameSessions(app)
}

function corsOptions(config: HttpConfig) {
  return {
    origin: [...config.corsOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'x-api-key', 'content-type', 'last-event-id', 'idempotency-key'],
    exposedHeaders: ['x-request-id', 'retry-after'],
  }
}

function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    if (String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')) return
    const { method, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    metrics.observeRequest({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 })
  })
}

/** Which methods an address has, over all routes that were registered. */
function collectMethods(app: FastifyInstance): (path: string) => string[] {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : literal(part)))
    const entry = known.get(url) ?? { pattern: new RegExp(`^${parts.join('/')}$`), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  return (path) => {
    const found = [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
    return [...new Set(found)].sort()
  }
}
