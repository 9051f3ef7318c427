import { backOffMs, parseRetryAfter, withJitter } from '../engine/waiting'
import { ModelError } from './model'
import type { ModelErrorCode } from './model'

/** A failed try: what to tell, and whether (and when) another try may help. */
export interface ModelFault {
  error: ModelError
  retryable: boolean
  retryAfterMs: number | undefined
}

const BACK_OFF = { firstMs: 500, longestMs: 8_000 }
/** A provider that wants us to wait longer than this has refused, as far as a waiting person is concerned. */
const LONGEST_RETRY_AFTER_MS = 30_000

/** Reads the status and headers an HTTP client's error carries; no status means that no answer came. */
export function toModelFault(error: unknown): ModelFault {
  if (error instanceof ModelError) return { error, retryable: false, retryAfterMs: undefined }
  if (error instanceof SyntaxError) return final('model_bad_answer', 'the model sent something that is no JSON', error)
  const status = statusOf(error)
  if (status === 429) return rateLimited(error)
  if (status === undefined || status === 408 || status === 409 || status >= 500) {
    const message = status === undefined ? 'the model could not be reached' : `the model answered ${status}`
    const retryAfterMs = readRetryAfter(headersOf(error))
    return { error: new ModelError('model_unavailable', message, error), retryable: true, retryAfterMs }
  }
  return final('model_rejected', `the model refused the request with ${status}`, error)
}

/** As long as the provider said, else twice as long each time; always with jitter, so that many turns do not come back
 * at once. Undefined: do not try again. */
export function retryDelayMs(fault: ModelFault, attempt: number, random: () => number = Math.random) {
  const { retryable, retryAfterMs } = fault
  if (!retryable || (retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs * (1 + random() / 10)
  return withJitter(backOffMs(attempt + 1, BACK_OFF), random)
}

export function readRetryAfter(headers: Headers | undefined, nowMs = Date.now()): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? NaN)
  return milliseconds >= 0 ? milliseconds : parseRetryAfter(headers?.get('retry-after'), nowMs)
}

/** A spent quota answers 429 as well, and no waiting helps. */
function rateLimited(cause: unknown): ModelFault {
  const spent = cause instanceof Error && 'code' in cause && cause.code === 'insufficient_quota'
  const error = new ModelError('model_rate_limited', 'the model answered 429', cause)
  return { error, retryable: !spent, retryAfterMs: readRetryAfter(headersOf(cause)) }
}

function final(code: ModelErrorCode, message: string, cause: unknown): ModelFault {
  return { error: new ModelError(code, message, cause), retryable: false, retryAfterMs: undefined }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined
}

function headersOf(error: unknown): Headers | undefined {
  return error instanceof Error && 'headers' in error && error.headers instanceof Headers ? error.headers : undefined
}
