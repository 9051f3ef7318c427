import { errors } from 'undici'

export type EgressCode =
  | 'bad_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'address_not_allowed'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'aborted'
  | 'dns_failed'
  | 'connection_refused'
  | 'tls_failed'
  | 'connection_failed'

/** Why a call to the outside brought no answer. Messages name the host only: paths of webhooks often hold secrets. */
export class EgressError extends Error {
  /** Set when the head of an answer had come before the call failed. */
  status: number | undefined

  constructor(
    readonly code: EgressCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
    this.name = new.target.name
  }
}

/** Codes of the system and of the client for a connection that was never there. */
const NEVER_OPEN = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
])

/**
 * Whether the other side may have got the request although no answer came: the connection was cut, or nothing was heard
 * in time. Connecting has a shorter limit than any call, so a call that ran out of time had been written.
 */
export function mayHaveArrived(error: EgressError): boolean {
  if (error instanceof EgressRefused || ['dns_failed', 'connection_refused', 'tls_failed'].includes(error.code))
    return false
  return !NEVER_OPEN.has(codeOf(error.cause) ?? '')
}

/** We do not call this address; trying again changes nothing. */
export class EgressRefused extends EgressError {}

/** No whole answer within the deadline. */
export class EgressTimeout extends EgressError {}

/** The other side cannot be reached, or broke off. */
export class EgressUnreachable extends EgressError {}

const CODES: Record<string, EgressCode> = {
  ECONNREFUSED: 'connection_refused',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_failed',
}
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

/** What the HTTP client or the system threw, in our words. A wrong call of ours stays what it is. */
export function toEgressError(error: unknown, host: string): unknown {
  if (error instanceof EgressError) return error
  const code = codeOf(error)
  if (code === undefined || code === 'UND_ERR_INVALID_ARG') return error
  if (TIMEOUTS.has(code)) return new EgressTimeout('timeout', `${host} did not answer in time`, { cause: error })
  const known = CODES[code] ?? (/^(CERT_|ERR_TLS|ERR_SSL|EPROTO)/.test(code) ? 'tls_failed' : 'connection_failed')
  return new EgressUnreachable(known, `${host} cannot be reached (${code})`, { cause: error })
}

/** Errors of the system come from outside the realm of a test, so that `instanceof Error` says nothing here. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof errors.HTTPParserError) return error.code ?? 'not HTTP'
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
