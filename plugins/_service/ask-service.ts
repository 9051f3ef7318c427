import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext, HandlerFetchInit } from '../../src/runs/plugins/handler-context'
import { describeFailure } from './describe-failure'
import { isObject } from './fields'
import { fault } from './words'

/** Someone else's HTTP API that answers JSON. */
export interface Service {
  name: string
  /** Named to the person when the service refuses the key. */
  keySetting?: string
  /** What a status means at this service alone; undefined leaves it to the general words. */
  explain?(failure: Failure, context: HandlerContext): string | undefined
}

export interface Failure {
  status: number
  headers: Headers
  body: JsonObject
}

/** The service answered, and its answer was no. */
export class ServiceError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
    this.name = 'ServiceError'
  }
}

const MAX_ANSWER_BYTES = 10 * 1024 * 1024

/** Asks once; whatever goes wrong is said in words a person can act on. */
export async function askService(
  context: HandlerContext,
  service: Service,
  url: string,
  init: HandlerFetchInit = {},
): Promise<JsonObject> {
  const response = await call(context, service, url, init)
  const body = readJson(await response.text())
  if (!response.ok) {
    const failure = { status: response.status, headers: response.headers, body: body ?? {} }
    throw new ServiceError(describeFailure(context, service, failure), response.status)
  }
  if (body) return body
  throw fault(context, {
    zh: `${service.name} 的回答不是可用的 JSON。`,
    en: `${service.name} answered something that is not usable JSON.`,
  })
}

async function call(context: HandlerContext, service: Service, url: string, init: HandlerFetchInit): Promise<Response> {
  try {
    return await context.fetch(url, { maxBytes: MAX_ANSWER_BYTES, ...init })
  } catch (error) {
    if (context.signal.aborted) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw fault(context, {
      zh: `无法从 ${service.name} 得到回答：${reason}`,
      en: `${service.name} could not be asked: ${reason}`,
    })
  }
}

function readJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The body and headers of a request that sends JSON. */
export function sendJson(body: JsonObject, headers: Record<string, string> = {}): HandlerFetchInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** A setting's URL with a path: operators write it with and without a slash at its end. */
export const join = (base: string, path: string): string => `${base.replace(/\/+$/, '')}/${path}`

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }
