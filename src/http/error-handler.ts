import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors'
import { safeError } from './logging'
import type { ErrorAnswer } from './schemas/envelope'

interface Failure {
  status: number
  code: string
  message: string
  hint?: string
  details?: unknown
}

/** Routes throw, this answers. */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  dress: (answer: ErrorAnswer) => ErrorAnswer = (answer) => answer,
): void {
  const answer = dress(answerFailure(error, request))
  if (error instanceof AppError) reply.headers(error.headers)
  if (answer.code === 401) reply.header('www-authenticate', 'Bearer')
  void reply.status(answer.code).type('application/json; charset=utf-8').send(answer)
}

/** What is our fault is logged, and hidden behind the request's id. */
export function answerFailure(error: unknown, request: FastifyRequest): ErrorAnswer {
  const { status, code, message, hint, details } = describeFailure(error, request)
  if (status >= 500 && status !== 502) request.log.error({ err: safeError(error) }, 'request failed')
  return { code: status, message, data: null, error: { code, hint, details } }
}

export function handleNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const message = `there is no ${request.method} ${request.url.split('?')[0]}`
  const answer: ErrorAnswer = { code: 404, message, data: null, error: { code: 'route_not_found', hint: 'See /docs.' } }
  void reply.status(404).send(answer)
}

function describeFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof AppError && (error.status < 500 || error.status === 502 || error.status === 503)) return error
  if (isFastifyError(error) && error.validation) return describeValidation(error)
  const status = isFastifyError(error) ? (error.statusCode ?? 500) : 500
  if (isFastifyError(error) && status < 500) {
    return { status, code: CLIENT_FAULTS[status] ?? 'bad_request', message: error.message }
  }
  return { status: 500, code: 'internal_error', message: `something went wrong on our side (request ${request.id})` }
}

/** Fastify's own errors and those of its parsers carry a status. */
function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && ('statusCode' in error || 'validation' in error)
}

const CLIENT_FAULTS: Record<number, string> = {
  400: 'bad_request',
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

function describeValidation(error: FastifyError): Failure {
  const details = (error.validation ?? []).map(({ instancePath, keyword, params, message }) => {
    const missing = keyword === 'required' ? `/${String(params['missingProperty'])}` : ''
    return { field: `${instancePath}${missing}`.slice(1).replaceAll('/', '.'), message: message ?? keyword }
  })
  return { status: 400, code: 'validation_failed', message: error.message, details }
}
