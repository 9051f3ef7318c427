import type { ResultCode, RunResult } from '../contracts/plugin'
import type { JsonValue } from '../contracts/words'
import { MAX_MESSAGE_CHARACTERS } from './ipc'

export function succeeded(data: unknown): RunResult {
  return { success: true, code: 'OK', data: storable(data), error: null }
}

export function failed(message: string, code: ResultCode = 'ERR'): RunResult {
  const text = storableText(message).slice(0, MAX_MESSAGE_CHARACTERS) || 'it failed without saying why'
  return { success: false, code, data: null, error: { message: text } }
}

export const cancelled = () => failed('the run was cancelled', 'CANCELLED')
export const timedOut = (timeoutMs: number) => failed(`it did not end within ${timeoutMs} ms`, 'TIMEOUT')

/**
 * What was parsed, as JSON that can be stored. Pages and files of others hold characters that PostgreSQL refuses: NUL
 * and halves of surrogate pairs.
 */
export function storable(value: unknown): JsonValue {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]))
}

function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
