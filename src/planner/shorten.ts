import type { JsonValue } from '../contracts/words'
import { storableText } from '../engine/storable'

const TEXT_CHARACTERS = 200
const LIST_ITEMS = 5
const FIELDS = 20

/** The same JSON with long texts and lists cut, for what is only remembered. */
export function shorten(value: JsonValue, depthLeft = 4): JsonValue {
  if (typeof value === 'string') return shortenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depthLeft === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, LIST_ITEMS).map((item) => shorten(item, depthLeft - 1))
  const fields = Object.entries(value).slice(0, FIELDS)
  return Object.fromEntries(fields.map(([name, field]) => [name, shorten(field, depthLeft - 1)]))
}

function shortenText(text: string): string {
  return text.length <= TEXT_CHARACTERS ? text : `${storableText(text.slice(0, TEXT_CHARACTERS))}…`
}
