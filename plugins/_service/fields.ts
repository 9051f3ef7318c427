import type { JsonObject, JsonValue } from '../../src/contracts/words'

/** Readers of what other people's servers answered: a field that is not as expected counts as missing. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = object[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const value = object[name]
  return isObject(value) ? value : undefined
}

export function listAt(object: JsonObject, name: string): JsonValue[] {
  const value = object[name]
  return Array.isArray(value) ? value : []
}

export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  return listAt(object, name).filter(isObject)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
