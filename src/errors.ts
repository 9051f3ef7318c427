import { types } from 'node:util'
import type { Refusal } from './contracts/refusal'

/** One family of errors: callers compare `code`, the HTTP room turns `status` into an answer, `hint` says what to do. */
export interface AppErrorOptions {
  status?: number
  hint?: string
  details?: unknown
  cause?: unknown
  headers?: Record<string, string>
}

export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly hint: string | undefined
  readonly details: unknown
  readonly headers: Record<string, string>

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? 500
    this.hint = options.hint
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

export const badRequest = (code: string, message: string, hint?: string, details?: unknown) =>
  new AppError(code, message, { status: 400, hint, details })
export const unauthorized = (message: string, hint?: string) =>
  new AppError('unauthorized', message, { status: 401, hint })
export const forbidden = (code: string, message: string, hint?: string) =>
  new AppError(code, message, { status: 403, hint })
export const notFound = (what: string, hint?: string) =>
  new AppError('not_found', `${what} was not found`, { status: 404, hint })
export const conflict = (code: string, message: string, hint?: string, details?: unknown) =>
  new AppError(code, message, { status: 409, hint, details })
export const tooMany = (code: string, message: string, retryAfterSeconds: number, hint?: string) =>
  new AppError(code, message, { status: 429, hint, headers: { 'retry-after': String(retryAfterSeconds) } })
export const unavailable = (code: string, message: string, hint?: string, cause?: unknown) =>
  new AppError(code, message, { status: 503, hint, cause })

/** The turn was closed by someone else (its lease ended): nothing more may be written in its name. */
export class TurnLostError extends AppError {
  constructor(turnId: string) {
    super('turn_lost', `turn ${turnId} no longer holds its session`, { status: 409 })
    this.name = 'TurnLostError'
  }
}

/** Errors of the system are not of our realm under test, so that `instanceof Error` says nothing about them. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  return typeof error.message === 'string' ? error.message : 'unknown error'
}

/** With the reason behind it: of a failed `fetch` the message alone says nothing. */
export function messageWithCause(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)} (${messageOf(cause)})`
}

export function errorCode(error: unknown): string {
  if (error instanceof AppError) return error.code
  // Also errors of Node's own realm, which a sandbox does not know as its own.
  if (!(error instanceof Error) && !types.isNativeError(error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** An expected refusal as a route answers it. */
export const refusedError = ({ code, hint, data }: Refusal, { status, message }: { status: number; message: string }) =>
  new AppError(code, message, { status, hint, details: data })
