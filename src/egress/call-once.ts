import { fetch } from 'undici'
import type { Dispatcher, Response as Answer } from 'undici'
import type { Deadline } from './deadline'
import type { EgressRequest } from './egress'
import { EgressError, toEgressError } from './failures'
import { readCapped } from './read-capped'

export interface Call {
  url: URL
  dispatcher: Dispatcher
  deadline: Deadline
}

/** An answer with as much of its body as was wanted. */
export interface Heard {
  url: URL
  status: number
  statusText: string
  headers: Headers
  bytes: Buffer
  truncated: boolean
}

const DEFAULT_RESPONSE_BYTES = 64 * 1024

/** One request and its answer, without redirects. */
export async function callOnce({ url, dispatcher, deadline }: Call, options: EgressRequest): Promise<Heard> {
  const { method = 'GET', body, maxResponseBytes = DEFAULT_RESPONSE_BYTES } = options
  const headers = { 'user-agent': 'Punctual', ...options.headers }
  const { signal } = deadline
  let answer: Answer | undefined
  try {
    answer = await deadline.race(fetch(url, { dispatcher, method, headers, body, signal, redirect: 'manual' }))
    const read = await deadline.race(readCapped(answer.body, maxResponseBytes))
    const { status, statusText } = answer
    return { url, status, statusText, headers: new Headers([...answer.headers]), ...read }
  } catch (error) {
    const failure = toEgressError(causeOf(error), url.hostname)
    if (failure instanceof EgressError) failure.status = answer?.status
    throw failure
  }
}

/** `fetch` says only that it failed; the reason is the cause. */
function causeOf(error: unknown): unknown {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined
  return error instanceof EgressError || cause === undefined ? error : cause
}
