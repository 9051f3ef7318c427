import type { Recurrence, RecurrenceRefusalCode } from '../contract'
import { normalize } from '../../normalize'
import { spanOf } from '../../said-span'
import type { MinuteOfDay, SaidSpan, Span } from '../../said-span'
import { tokenize } from '../../tokens'
import { isKnownZone } from '../../zones'
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
  const zone = pattern.zone === undefined ? timezone : ianaName(pattern.zone)
  if (!zone) return refuse('bad_timezone')
  return pattern.interval === undefined ? readCalendar(pattern, zone) : readInterval(pattern, pattern.interval, zone)
}

const SPAN = /到|至|~|\b(?:between|from|until|during|to \d)/

/** An interval alone counts from its creation; within a window or on some days it begins with the window or the day. */
function readInterval(pattern: Pattern, seconds: number, timezone: string): PhraseReading {
  const { times, minutes, window, timesADay } = pattern
  if (times.length > 0 || minutes || timesADay !== undefined) return refuse('unsupported')
  const days = daysOf(pattern)
  if (!days && !window) {
    return pattern.unit ? refuse('unsupported') : { ok: true, recurrence: { kind: 'every', seconds } }
  }
  const span = hoursOf(window)
  if (typeof span === 'string') return refuse(span)
  const step = seconds / 60
  const isEven = Number.isInteger(step) && step <= span.last - span.first && (window !== undefined || DAY % step === 0)
  if (!isEven) return refuse(seconds < 60 ? 'too_often' : 'unsupported')
  return cronOf(days ?? EVERY_DAY, stepsIn(span, step), timezone)
}

/** The whole day, unless a window was said; one that goes around midnight is two spans. */
function hoursOf(window: SaidSpan | undefined): Span | 'ambiguous' | 'invalid_clock' {
  const span = window ? spanOf(window) : { first: 0, last: DAY - 1 }
  return span === 'backwards' ? 'ambiguous' : span
}

function stepsIn({ first, last }: Span, step: number): MinuteOfDay[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
}

function readCalendar(pattern: Pattern, timezone: string): PhraseReading {
  const { times, minutes, unit, window, timesADay } = pattern
  if (minutes) return readMinutes(pattern, minutes, timezone)
  if (window) return refuse('range')
  const days = daysOf(pattern) ?? (timesADay === undefined ? undefined : EVERY_DAY)
  if (!days && unit === 'week' && times.length === 0) {
    return { ok: true, recurrence: { kind: 'every', seconds: 7 * 86_400 } }
  }
  if (timesADay !== undefined && timesADay !== times.length) return refuse('not_understood')
  // A clock alone may mean today or every day.
  if (!days) return refuse(unit || times.length > 0 ? 'ambiguous' : 'not_understood')
  const found = timesOf(times)
  return typeof found === 'string' ? refuse(found) : cronOf(days, found, timezone)
}

/** Some minutes of every hour, or of the hours of a window. */
function readMinutes(pattern: Pattern, minutes: readonly number[], timezone: string): PhraseReading {
  const { times, unit, window, timesADay } = pattern
  if (times.length > 0 || unit || timesADay !== undefined) return refuse('unsupported')
  if (minutes.some((minute) => minute > 59)) return refuse('invalid_clock')
  const span = hoursOf(window)
  if (typeof span === 'string') return refuse(span)
  const all = Array.from({ length: 24 }, (_, hour) => minutes.map((minute) => hour * 60 + minute)).flat()
  const within = all.filter((minute) => minute >= span.first && minute <= span.last)
  return within.length === 0 ? refuse('unsupported') : cronOf(daysOf(pattern) ?? EVERY_DAY, within, timezone)
}

const DAY = 1440
const MOST_EXPRESSIONS = 12
const EVERY_DAY: Days = { kind: 'weekdays', weekdays: [1, 2, 3, 4, 5, 6, 7] }

function cronOf(days: Days | RecurrenceRefusalCode, times: MinuteOfDay[], timezone: string): PhraseReading {
  if (typeof days === 'string') return refuse(days)
  const expressions = expressionsFor(days, times)
  if (!expressions || expressions.length > MOST_EXPRESSIONS) return refuse('unsupported')
  return { ok: true, recurrence: { kind: 'cron', expressions, timezone } }
}

/** The one kind of day that is named, and what must stand beside it. */
function daysOf(pattern: Pattern): Days | RecurrenceRefusalCode | undefined {
  const { weekdays, monthDays, dates, nthWeekdays, except, unit } = pattern
  const named = [weekdays, monthDays, dates, nthWeekdays].filter((each) => each !== undefined).length
  if (named > 1 || (except && !weekdays)) return 'ambiguous'
  if (weekdays) return unit === undefined || unit === 'week' ? without(weekdays, except) : 'ambiguous'
  if (nthWeekdays) return nthDays(nthWeekdays, unit)
  if (monthDays) {
    if (monthDays.some((day) => day < 1 || day > 31)) return 'invalid_date'
    return unit === 'month' ? { kind: 'month-days', days: monthDays } : 'not_understood'
  }
  if (!dates) return undefined
  if (!dates.every(({ month, day }) => isDate(month, day))) return 'invalid_date'
  return unit === 'year' ? { kind: 'dates', dates } : 'not_understood'
}

/** "weekdays except Sunday" takes away what is not there: one of the two was meant otherwise. */
function without(weekdays: readonly number[], except: readonly number[] = []): Days | 'ambiguous' {
  const left = weekdays.filter((day) => !except.includes(day))
  const isPart = except.every((day) => weekdays.includes(day))
  return isPart && left.length > 0 ? { kind: 'weekdays', weekdays: left } : 'ambiguous'
}

/** A fifth Tuesday is not in every month, and "every second Tuesday" may be every other one. */
function nthDays({ nths, weekday }: { nths: readonly number[]; weekday: number }, unit?: string): Days | 'unsupported' {
  const isSure = unit === 'month' && nths.every((nth) => nth >= 1 && nth <= 4)
  return isSure ? { kind: 'nth-weekdays', nths, weekday } : 'unsupported'
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
