import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { LoggerOptions } from 'pino'
import { AppError, errorCode } from '../errors'
import type { HttpConfig } from './http-config'

/** A second wall: nothing here is logged on purpose, and should it ever be, these stay out. */
const REDACTED = [
  'req.headers',
  'headers',
  '*.authorization',
  '*["x-api-key"]',
  '*.password',
  '*.token',
  '*.key',
  '*.message_text',
  '*.content',
]

export function loggerOptions(
  config: HttpConfig,
): Pick<FastifyServerOptions, 'logger'> & { loggerInstance?: FastifyBaseLogger } {
  if (config.logger) return { loggerInstance: config.logger }
  return { logger: safeLogging(config.logLevel) }
}

/** How every process logs: an error of a library may repeat a row or a query, so only what is ours is told of it. */
export const safeLogging = (level: string): LoggerOptions => ({
  level,
  redact: REDACTED,
  serializers: { err: (error: unknown) => (error instanceof Error ? safeError(error) : error) },
})

/** One line a request, with the route's pattern in place of the address: no key, no text, no session in it. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      caller: request.caller?.id,
    }
    request.log.info(line, 'request')
  })
}

/** Messages of libraries repeat what they were given (a query, a row), so only our own are logged. */
export function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const message = error instanceof AppError ? error.message : undefined
  const cause = error.cause === undefined ? undefined : safeError(error.cause)
  return { type: error.name, code: errorCode(error), message, stack: frames.join('\n'), cause }
}
