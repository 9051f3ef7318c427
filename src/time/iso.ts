import { DateTime, FixedOffsetZone } from 'luxon'

/** 20260301T090000Z: the basic form, turned into the extended one. */
const BASIC = /^(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})(\d{2})?/i

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}):\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)$/i

export type IsoReading = { ms: number } | { wall: DateTime } | 'invalid_date' | 'invalid_clock'

/** Strict ISO 8601 with a date and a clock. With an offset it is an instant, without one a wall clock. */
export function readIso(text: string): IsoReading | undefined {
  const extended = text.replace(BASIC, (_, ...parts: string[]) => {
    const [year, month, day, hour, minute, second] = parts
    return `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}`
  })
  const shape = ISO.exec(extended)
  if (!shape) return undefined
  const tidy = extended
    .replace(/\s(?=Z|[+-]\d{2}(?::?\d{2})?$)/i, '')
    .replace(' ', 'T')
    .toUpperCase()
  const parsed = DateTime.fromISO(tidy, { zone: FixedOffsetZone.utcInstance })
  if (!parsed.isValid)
    return /hour|minute|second/.test(parsed.invalidExplanation ?? '') ? 'invalid_clock' : 'invalid_date'
  return shape[2] ? { ms: parsed.toMillis() } : { wall: parsed }
}
