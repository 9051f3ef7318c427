import type { JsonValue } from '../contracts/words'

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and a model may write both. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}

/** Undefined when it is nested deeper than anything a tool takes. */
export function cleanJson(value: JsonValue, depthLeft = 32): JsonValue | undefined {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depthLeft === 0) return undefined
  if (Array.isArray(value)) return cleanAll(value, depthLeft)
  const keys = Object.keys(value)
  const items = cleanAll(Object.values(value), depthLeft)
  return items && Object.fromEntries(keys.map((key, at) => [cleanText(key), items[at] ?? null]))
}

function cleanAll(values: JsonValue[], depthLeft: number): JsonValue[] | undefined {
  const cleaned: JsonValue[] = []
  for (const value of values) {
    const item = cleanJson(value, depthLeft - 1)
    if (item === undefined) return undefined
    cleaned.push(item)
  }
  return cleaned
}
