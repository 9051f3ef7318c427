import type { JsonValue } from '../contracts/words'

/** PostgreSQL's text and jsonb refuse NUL, jsonb refuses lone surrogates: both go before a row is written. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

export function storableJson(value: JsonValue | object): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? storableText(item) : item))
}

/** What others sent, as JSON that can be stored. */
export function storable(value: unknown): JsonValue {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]))
}
