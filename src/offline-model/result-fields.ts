import type { JsonObject } from '../contracts/words'

/** A result that was cut or is no JSON still counts as an answer, without fields. */
export function readObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as unknown
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** A field of a tool result that should be text; empty when it is not. */
export function textField(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

export function textListField(object: JsonObject, name: string): string[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An ISO time with its offset as a person reads it; the seconds only where they say something. */
export function localTime(iso: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d))?/.exec(iso)
  if (!parts) return iso
  const [, day, clock, seconds] = parts
  return `${day} ${clock}${seconds === undefined || seconds === '00' ? '' : `:${seconds}`}`
}
