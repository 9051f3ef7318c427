import type { Recurrence, RecurrenceRefusalCode } from '../../contracts/recurrence'
import { normalize } from '../../time/normalize'
import { tokenize } from '../../time/tokens'
import { isKnownZone } from '../../time/zones'
import type { Days } from './expressions'
import { expressionsFor } from './expressions'
import type { Pattern } from './pattern'
import { joinPieces } from './pattern'
import { readPieces } from './read-pieces'
import { timesOf } from './times'

export type PhraseReading = { ok: true; recurrence: Recurrence } | { ok: false; code: RecurrenceRefusalCode }

const refuse = (code: RecurrenceRefusalCode): PhraseReading => ({ ok: false, code })

/** What repeats, in words. Every word must be understood, and what they say must be kept exactly, or it is refused. */
export function readPhrase(text: string, timezone: string): PhraseReading {
  const plain = normalize(text)
  const pieces = readPieces(tokenize(plain))
  if (!pieces) return refuse(SPAN.test(plain) ? 'range' : 'not_understood')
  const pattern = joinPieces(pieces)
  if (pattern === 'contradiction') return refuse('ambiguous')
  if (typeof pattern === 'string') return refuse(pattern)
  if (pattern.interval !== undefined) return readInterval(pattern, pattern.interval)
  const zone = pattern.zone === undefined ? timezone : ianaName(pattern.zone)
  if (!zone) return refuse('bad_timezone')
  return readCalendar(pattern, zone)
}

const SPAN = /到|至|~|\b(?:between|from|until|during|to \d)/

/** An interval counts from its creation, so a clock or a day beside it cannot be kept. */
function readInterval({ times, weekdays, monthDays, dates, unit, minutes }: Pattern, seconds: number): PhraseReading {
  const alone = times.length === 0 && !weekdays && !monthDays && !dates && !unit && !minutes
  return alone ? { ok: true, recurrence: { kind: 'every', seconds } } : refuse('unsupported')
}

function readCalendar(pattern: Pattern, timezone: string): PhraseReading {
  const { times, minutes, unit } = pattern
  const days = daysOf(pattern)
  if (minutes) return readMinutes(pattern, minutes, timezone)
  if (!days && unit === 'week' && times.length === 0) {
    return { ok: true, recurrence: { kind: 'every', seconds: 7 * 86_400 } }
  }
  // A clock alone may mean today or every day.
  if (!days) return refuse(unit || times.length > 0 ? 'ambiguous' : 'not_understood')
  if (typeof days === 'string') return refuse(days)
  const found = timesOf(times)
  if (typeof found === 'string') return refuse(found)
  const expressions = expressionsFor(days, found)
  return expressions ? { ok: true, recurrence: { kind: 'cron', expressions, timezone } } : refuse('unsupported')
}

function readMinutes(pattern: Pattern, minutes: readonly number[], timezone: string): PhraseReading {
  const { times, weekdays, monthDays, dates, unit } = pattern
  if (times.length > 0 || monthDays || dates || unit) return refuse('unsupported')
  if (minutes.some((minute) => minute > 59)) return refuse('invalid_clock')
  const days: Days = { kind: 'weekdays', weekdays: weekdays ?? [1, 2, 3, 4, 5, 6, 7] }
  // The expression of midnight on those days, with its minute and hour changed.
  const expressions = expressionsFor(days, [0])?.map((midnight) => midnight.replace('0 0', `${minutes.join(',')} *`))
  return expressions ? { ok: true, recurrence: { kind: 'cron', expressions, timezone } } : refuse('unsupported')
}

/** The one kind of day that is named, and what must stand beside it. */
function daysOf({ weekdays, monthDays, dates, unit }: Pattern): Days | RecurrenceRefusalCode | undefined {
  const named = [weekdays, monthDays, dates].filter((each) => each !== undefined).length
  if (named > 1) return 'ambiguous'
  if (weekdays) return unit === undefined || unit === 'week' ? { kind: 'weekdays', weekdays } : 'ambiguous'
  if (monthDays) {
    if (monthDays.some((day) => day < 1 || day > 31)) return 'invalid_date'
    return unit === 'month' ? { kind: 'month-days', days: monthDays } : 'not_understood'
  }
  if (!dates) return undefined
  if (!dates.every(({ month, day }) => isDate(month, day))) return 'invalid_date'
  return unit === 'year' ? { kind: 'dates', dates } : 'not_understood'
}

/** In some year: 2028 is a leap year. */
function isDate(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2028, month, 0)).getUTCDate()
}

/** A fixed offset by its IANA name, whose sign is the other way round; half hours have none. */
function ianaName(zone: string): string | undefined {
  const offset = /^UTC([+-])(\d+)(?::00)?$/.exec(zone)
  const name = offset ? (offset[2] === '0' ? 'UTC' : `Etc/GMT${offset[1] === '+' ? '-' : '+'}${offset[2]}`) : zone
  return isKnownZone(name) ? name : undefined
}
