import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors'
import { isStorageAway } from '../engine/storage-away'
import { safeError } from './logging'
import type { ErrorAnswer } from './schemas/envelope'

interface Failure {
  status: number
  code: string
  message: string
  hint?: string
  details?: unknown
}

const RETRY_AFTER_SECONDS = '5'
const STORAGE_AWAY: Failure = {
  status: 503,
  code: 'storage_unavailable',
  message: 'the database cannot be reached at this moment; nothing is known to have changed',
  hint: 'Try again in a few seconds.',
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
  if (answer.code === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (answer.code === 401) reply.header('www-authenticate', 'Bearer')
  void reply.status(answer.code).type('application/json; charset=utf-8').send(answer)
}

/** What is our fault is logged, and hidden behind the request's id. */
export function answerFailure(error: unknown, request: FastifyRequest): ErrorAnswer {
  const { status, code, message, hint, details } = describeFailure(error, request)
  if (status >= 500 && status !== 502) request.log.error({ err: safeError(error) }, 'request failed')
  return { code: status, message, data: null, error: { code, hint, details } }
}

/** Answers what no route took: 405 where the address is known under other methods, else 404. */
export function createNotFoundHandler(methodsOf: (path: string) => string[]) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const path = request.url.split('?')[0]!
    const message = `there is no ${request.method} ${path}`
    const allowed = methodsOf(path)
    if (allowed.length > 0) {
      const hint = `There is ${allowed.join(', ')}.`
      void reply
        .header('allow', allowed.join(', '))
        .status(405)
        .send({ code: 405, message, data: null, error: { code: 'method_not_allowed', hint } } satisfies ErrorAnswer)
      return
    }
    const error = { code: 'route_not_found', hint: 'See /docs.' }
    void reply.status(404).send({ code: 404, message, data: null, error } satisfies ErrorAnswer)
  }
}

function describeFailure(error: unknown, request: FastifyRequest): Failure {
  if (!(error instanceof AppError) && isStorageAway(error)) return STORAGE_AWAY
  if (error instanceof AppError && (error.status < 500 || error.status === 502 || error.status === 503)) return error
  if (isFastifyError(error) && error.validation) return describeValidation(error)
  const status = isFastifyError(error) ? (error.statusCode ?? 500) : 500
  if (isFastifyError(error) && status < 500) {
    if (status === 413) return tooLarge(request.routeOptions.bodyLimit)
    return { status, code: 'bad_request', message: error.message, ...CLIENT_FAULTS[status] }
  }
  return { status: 500, code: 'internal_error', message: `something went wrong on our side (request ${request.id})` }
}

/** Fastify's own errors and those of its parsers carry a status. */
function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && ('statusCode' in error || 'validation' in error)
}

const CLIENT_FAULTS: Record<number, Partial<Failure>> = {
  415: { code: 'unsupported_media_type', hint: 'Send JSON with content-type: application/json.' },
}

/** Each route has its own limit, or the one of all. */
function tooLarge(limitBytes: number): Failure {
  const kilobytes = Math.floor(limitBytes / 1_024)
  const limit = kilobytes < 1_024 ? `${kilobytes} KB` : `${Math.floor(kilobytes / 1_024)} MB`
  return { status: 413, code: 'body_too_large', message: `the body is over ${limit}` }
}

type Fault = NonNullable<FastifyError['validation']>[number] & { schema?: unknown }

const MOST_FAULTS = 20

/** Every fault by its field; the message names them too, for who reads only that. */
function describeValidation(error: FastifyError): Failure {
  const context = error.validationContext ?? 'body'
  const faults: readonly Fault[] = error.validation ?? []
  if (context === 'body' && faults.some(({ instancePath, keyword }) => instancePath === '' && keyword === 'type')) {
    const message = 'body: a JSON object is missing'
    return { status: 400, code: 'validation_failed', message, hint: 'Send JSON with content-type: application/json.' }
  }
  const unions = faults.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  // What each way of a union lacks is noise beside the union's own words.
  const told = faults.filter(
    (fault) =>
      unions.includes(fault) || !unions.some(({ schemaPath }) => fault.schemaPath.startsWith(`${schemaPath}/`)),
  )
  const details = told.slice(0, MOST_FAULTS).map((fault) => ({ field: fieldOf(fault), message: wordsOf(fault) }))
  const words = details.map(({ field, message }) => (field === '' ? message : `${field} ${message}`))
  return { status: 400, code: 'validation_failed', message: `${context}: ${words.join('; ')}`, details }
}

function fieldOf({ instancePath, keyword, params }: Fault): string {
  const missing = keyword === 'required' ? `/${String(params['missingProperty'])}` : ''
  return `${instancePath}${missing}`.slice(1).replaceAll('/', '.')
}

function wordsOf({ keyword, params, message, schema }: Fault): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'enum') return `must be one of: ${[params['allowedValues']].flat().join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`
  if (keyword === 'additionalProperties') return `must not have ${String(params['additionalProperty'])}`
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return message ?? keyword
  const ways = Array.isArray(schema) ? schema.map(describeWay) : []
  return ways.every((way) => way !== undefined) && ways.length > 0 ? `must ${joinWays(ways)}` : (message ?? keyword)
}

/** One way of a union in words: the fields that it needs, the value that it is, or its type. */
function describeWay(way: unknown): { have?: string; be?: string } | undefined {
  if (typeof way !== 'object' || way === null) return undefined
  const { required, const: value, enum: values, type } = way as Record<string, unknown>
  if (Array.isArray(required) && required.length > 0) return { have: required.join(' and ') }
  if (value !== undefined) return { be: JSON.stringify(value) }
  if (Array.isArray(values)) return { be: values.map((item) => JSON.stringify(item)).join(', ') }
  return typeof type === 'string' ? { be: `of type ${type}` } : undefined
}

function joinWays(ways: ({ have?: string; be?: string } | undefined)[]): string {
  const have = ways.flatMap((way) => way?.have ?? [])
  const be = ways.flatMap((way) => way?.be ?? [])
  return [have.length > 0 ? `have ${have.join(', or ')}` : '', be.length > 0 ? `be ${be.join(' or ')}` : '']
    .filter(Boolean)
    .join(', or ')
}
