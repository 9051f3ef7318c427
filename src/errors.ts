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

export function errorCode(error: unknown): string {
  if (error instanceof AppError) return error.code
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}
