import { request } from 'undici'
import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline'
import type { EgressRequest, EgressResponse } from './egress'
import { EgressError, toEgressError } from './failures'
import { readCapped } from './read-capped'

export interface Call {
  url: URL
  dispatcher: Dispatcher
  deadline: Deadline
}

const DEFAULT_RESPONSE_BYTES = 64 * 1024

/** One request and its answer, without redirects. */
export async function callOnce(call: Call, options: EgressRequest): Promise<EgressResponse> {
  const { url, dispatcher, deadline } = call
  const { method = 'GET', body, maxResponseBytes = DEFAULT_RESPONSE_BYTES } = options
  const headers = { 'user-agent': 'Punctual', ...options.headers }
  let status: number | undefined
  try {
    const answer = await deadline.race(request(url, { dispatcher, method, headers, body, signal: deadline.signal }))
    status = answer.statusCode
    const read = await deadline.race(readCapped(answer.body, maxResponseBytes))
    return { status, headers: joinHeaders(answer.headers), ...read }
  } catch (error) {
    const failure = toEgressError(error, url.hostname)
    if (failure instanceof EgressError) failure.status = status
    throw failure
  }
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) joined[name] = [value ?? ''].flat().join(', ')
  return joined
}
