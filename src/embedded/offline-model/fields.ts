import type { JsonObject } from '../../contracts/words'

/** A field of a tool result that should be text; empty when it is not. */
export function textField(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

export function textListField(object: JsonObject, name: string): string[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
