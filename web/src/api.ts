import { signal } from '@preact/signals'
import { noteServerTime } from './clock'
import { t } from './language'

const TOKEN = 'punctual.token'
export const token = signal(localStorage.getItem(TOKEN))

export function keepToken(value: string | null): void {
  if (value === null) localStorage.removeItem(TOKEN)
  else localStorage.setItem(TOKEN, value)
  token.value = value
}

/** Who signed in, as their token says; the server checks it, this only names. */
export function personId(): string | undefined {
  const [, claims] = token.value?.split('.') ?? []
  if (claims === undefined) return undefined
  return (JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: string }).sub
}

/** `status` 0: the server was not reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

interface Options {
  method?: string
  body?: unknown
  accept?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface Envelope {
  message?: string
  error?: { code?: string; hint?: string }
}

export async function request(path: string, options: Options = {}): Promise<Response> {
  const {
    method = options.body === undefined ? 'GET' : 'POST',
    body,
    accept = 'application/json',
    signal: ends,
  } = options
  const headers: Record<string, string> = { accept, ...options.headers }
  const used = token.value
  if (used !== null) headers['authorization'] = `Bearer ${used}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const sentAt = Date.now()
  const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: ends }
  const answer = await fetch(path, init).catch((error: unknown) => {
    if (ends?.aborted) throw error
    throw new ApiError(0, 'unreachable', t().unreachable)
  })
  noteServerTime(answer.headers.get('date'), sentAt, Date.now())
  if (answer.ok) return answer
  const failure = (await answer.json().catch(() => ({}))) as Envelope
  // The token ended or was revoked: whoever sits here must sign in again.
  if (answer.status === 401 && used !== null && token.value === used) keepToken(null)
  const words = [failure.message ?? t().serverFault, failure.error?.hint].filter(Boolean).join(' — ')
  throw new ApiError(answer.status, failure.error?.code ?? 'unknown', words)
}

export async function api<T>(path: string, options: Options = {}): Promise<T> {
  const answer = await request(path, options)
  return ((await answer.json()) as { data: T }).data
}

export function query(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

export const sessionPath = (key: string) => `/api/v1/sessions/${encodeURIComponent(key)}`
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
