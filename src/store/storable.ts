import type { JsonValue } from '../contracts/words'

/** PostgreSQL's text and jsonb refuse NUL, jsonb refuses lone surrogates: both go before a row is written. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

export function storableJson(value: JsonValue | object): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? storableText(item) : item))
}
