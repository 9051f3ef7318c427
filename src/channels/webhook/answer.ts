import type { EgressResponse } from '../../egress/egress'
import type { EgressError } from '../../egress/failures'
import { EgressRefused, EgressTimeout, mayHaveArrived } from '../../egress/failures'
import { parseRetryAfter } from '../../engine/waiting'
import { ChannelFailure } from '../channel'

const MAX_RETRY_AFTER_MS = 60 * 60_000
const PASSING = new Set([408, 425, 429])

export const isAccepted = (status: number | undefined) => status !== undefined && status >= 200 && status < 300

/** What the endpoint calls the message, if it answers JSON with an `id`. */
export function readReceipt(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null || !('id' in answer)) return null
    const { id } = answer
    return typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, 255) : null
  } catch {
    // Most endpoints answer no JSON, and need not.
    return null
  }
}

/** The answer of an endpoint that did not accept. Nothing of its body is kept: it may repeat the message. */
export function failureOfAnswer({ status, headers }: EgressResponse, nowMs: number): ChannelFailure {
  const says = `the endpoint answered ${status}`
  if (status === 410) return new ChannelFailure('webhook_gone', false, `${says}: it is turned off`)
  if (status >= 300 && status < 400) {
    return new ChannelFailure('webhook_redirected', false, `${says}: redirects are not followed, set its final URL`)
  }
  if (status < 500 && !PASSING.has(status)) return new ChannelFailure('webhook_rejected', false, says)
  const honoured = status === 429 || status === 503
  const wishMs = honoured ? parseRetryAfter(headers['retry-after'], nowMs) : undefined
  const retryAfterMs = wishMs === undefined ? undefined : Math.min(wishMs, MAX_RETRY_AFTER_MS)
  return new ChannelFailure(status === 429 ? 'webhook_rate_limited' : 'webhook_unavailable', true, says, {
    retryAfterMs,
  })
}

export function failureOfCall(error: EgressError): ChannelFailure {
  if (error instanceof EgressRefused) {
    const hint = error.code === 'address_not_allowed' ? '; TRUSTED_EGRESS_HOSTS may allow it' : ''
    return new ChannelFailure('webhook_refused', false, `${error.code}: ${error.message}${hint}`)
  }
  const isTimeout = error instanceof EgressTimeout || error.code === 'aborted'
  const code = isTimeout ? 'webhook_timeout' : 'webhook_unreachable'
  return new ChannelFailure(code, true, error.message, { uncertain: mayHaveArrived(error) })
}
