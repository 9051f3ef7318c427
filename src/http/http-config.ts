import type { FastifyBaseLogger } from 'fastify'

/** What the HTTP room is told of the settings; `Config` with a secret fits. */
export interface HttpConfig {
  host: string
  corsOrigins: readonly string[]
  trustedProxies: readonly string[]
  jwtSecret: string
  logLevel: string
  /** The process's logger; without one the app makes its own. */
  logger?: FastifyBaseLogger
  streams?: Partial<StreamTimings>
}

export interface StreamTimings {
  /** A comment this often keeps proxies from cutting a quiet stream. */
  pingMs: number
  /** How often a stream looks whether its caller still may come in. */
  recheckMs: number
  /** A client that takes nothing for this long is dropped. */
  stallMs: number
}

export const STREAM_TIMINGS: StreamTimings = { pingMs: 15_000, recheckMs: 2_000, stallMs: 30_000 }

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host)
}
