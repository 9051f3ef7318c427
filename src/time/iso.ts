import { DateTime, FixedOffsetZone } from 'luxon'

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}):\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)$/i

export type IsoReading = { ms: number } | { wall: DateTime } | 'invalid'

/** Strict ISO 8601 with a date and a clock. With an offset it is an instant, without one a wall clock. */
export function readIso(text: string): IsoReading | undefined {
  const shape = ISO.exec(text)
  if (!shape) return undefined
  const tidy = text
    .replace(/\s(?=Z|[+-]\d{2}(?::?\d{2})?$)/i, '')
    .replace(' ', 'T')
    .toUpperCase()
  const parsed = DateTime.fromISO(tidy, { zone: FixedOffsetZone.utcInstance })
  if (!parsed.isValid) return 'invalid'
  return shape[2] ? { ms: parsed.toMillis() } : { wall: parsed }
}
