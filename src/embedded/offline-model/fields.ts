import type { JsonObject, JsonValue } from '../../contracts/words'

/** A field of a tool result that should be text; empty when it is not. */
export function textField(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

export function textListField(object: JsonObject, name: string): string[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
