import { Type } from 'typebox'
import { DateTime } from 'luxon'
import { badRequest } from '../../errors'

/** Query parameters of lists by due time. */
export const Window = {
  due_from: Type.Optional(Type.String({ maxLength: 64, description: 'ISO time; a time without offset is UTC.' })),
  due_to: Type.Optional(Type.String({ maxLength: 64, description: 'ISO time, exclusive.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
}

export function parseInstant(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  // Some write a blank between day and time, and a plus sign that was not encoded arrives as one.
  const iso = text
    .trim()
    .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
    .replace(/ (?=\d{2}:?\d{2}$)/, '+')
  const time = DateTime.fromISO(iso, { zone: 'utc' })
  const year = time.isValid ? time.year : 0
  if (year >= 1970 && year <= 9999) return time.toJSDate()
  throw badRequest('bad_time', `${name} is no ISO time`, 'Write it like 2030-01-31T09:00:00+08:00.')
}
