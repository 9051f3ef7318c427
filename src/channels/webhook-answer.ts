import type { EgressResponse } from '../egress/egress'
import type { EgressError } from '../egress/failures'
import { EgressRefused, EgressTimeout } from '../egress/failures'
import { ChannelFailure } from './channel'

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
  const retryAfterMs = honoured ? readRetryAfter(headers['retry-after'], nowMs) : undefined
  return new ChannelFailure(status === 429 ? 'webhook_rate_limited' : 'webhook_unavailable', true, says, retryAfterMs)
}

export function failureOfCall(error: EgressError): ChannelFailure {
  if (error instanceof EgressRefused) {
    const hint = error.code === 'address_not_allowed' ? '; TRUSTED_EGRESS_HOSTS may allow it' : ''
    return new ChannelFailure('webhook_refused', false, `${error.code}: ${error.message}${hint}`)
  }
  const isTimeout = error instanceof EgressTimeout || error.code === 'aborted'
  return new ChannelFailure(isTimeout ? 'webhook_timeout' : 'webhook_unreachable', true, error.message)
}

/** Seconds or a date (RFC 9110), never more than an hour ahead. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const isSeconds = /^\d+$/.test(value.trim())
  const delayMs = isSeconds ? Number(value) * 1_000 : Date.parse(value) - nowMs
  if (Number.isNaN(delayMs)) return undefined
  return Math.min(Math.max(delayMs, 0), MAX_RETRY_AFTER_MS)
}
