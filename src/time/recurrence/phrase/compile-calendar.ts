import type { DateTime } from 'luxon'
import type { MinuteOfDay } from '../../said-span'
import type { Recurrence, RecurrenceRefusalCode } from '../contract'
import { recurrenceOfRule, wallNow } from '../rule/recurrence-of-rrule'
import type { Frequency, RepeatRule, Wall } from '../rule/repeat-rule'
import type { Days } from './compile-days'
import { daysOf } from './compile-days'
import { expressionsFor } from './expressions'
import type { Pattern } from './pattern'
import type { PeriodUnit } from './piece'
import type { Bounds } from './resolve-bounds'
import { timesOf } from './times'

export interface Situation {
  zone: string
  from: Bounds['from']
  now: Date
}
export interface Compiled {
  recurrence: Recurrence
  note?: 'quarter_begins'
}
type Refused = RecurrenceRefusalCode

export const EVERY_DAY: Days = { unit: 'day' }
const MOST_EXPRESSIONS = 12
const DAY = 1440

/** Days with their clocks: cron where five fields can say it, a rule of RFC 5545 where not. */
export function compileCalendar(pattern: Pattern, situation: Situation): Compiled | Refused {
  const { times, unit, window, timesIn, period } = pattern
  if (window) return 'range'
  if (timesIn && !isAsMany(pattern, timesIn)) return 'not_understood'
  const named = daysOf(pattern) ?? (timesIn?.unit === 'day' ? EVERY_DAY : undefined)
  if (typeof named === 'string') return named
  const counted = period ?? (named === undefined && unit === 'week' && times.length === 0 ? WEEKLY : undefined)
  // A clock alone may mean today or every day.
  if (!named && !counted) return unit || times.length > 0 || isBounded(pattern) ? 'ambiguous' : 'not_understood'
  const minutes = times.length > 0 ? timesOf(times) : [openTime(named, situation)]
  if (typeof minutes === 'string') return minutes
  if (counted || !named) return ruleOf(named, minutes, counted ?? WEEKLY, situation)
  const isBareQuarter = unit === 'quarter' && !pattern.monthDays && !pattern.nthWeekdays && !pattern.nthWorkdays
  const compiled = cronOf(named, minutes, situation)
  return typeof compiled !== 'string' && isBareQuarter ? { ...compiled, note: 'quarter_begins' } : compiled
}

const isBounded = ({ from, until, lasting, count }: Pattern): boolean =>
  [from, until, lasting, count].some((each) => each !== undefined)
const WEEKLY = { unit: 'week', count: 1 } as const

/** Where no clock is said: that of the beginning, nine on days that are named, and now for what is counted from now. */
function openTime(named: Days | undefined, { zone, from, now }: Situation): MinuteOfDay {
  if (from?.hasClock) return from.at.hour * 60 + from.at.minute
  return named || from ? 9 * 60 : Math.floor((wallNow(zone, now) % (DAY * 60_000)) / 60_000)
}

/** "three times a week on Mon, Wed and Fri": as many as are named. */
function isAsMany(pattern: Pattern, { unit, count }: { unit: PeriodUnit; count: number }): boolean {
  const { times, weekdays, monthDays, nthWeekdays, dates } = pattern
  if (unit === 'day') return count === times.length
  const days = unit === 'week' ? weekdays : unit === 'month' ? (monthDays ?? nthWeekdays?.days) : dates
  return days ? days.length === count : count === 1
}

/** Some times on some days that follow each other without a count. */
export function cronOf(days: Days, times: MinuteOfDay[], situation: Situation): Compiled | Refused {
  const expressions = expressionsFor(days, times)
  if (expressions && expressions.length <= MOST_EXPRESSIONS) {
    const { zone: timezone, from } = situation
    const start = from ? { from: from.at.toJSDate().toISOString() } : {}
    return { recurrence: { kind: 'cron', expressions, timezone, ...start } }
  }
  return days.alternatives ? 'unsupported' : ruleOf(days, times, { unit: days.unit, count: 1 }, situation)
}

const FREQUENCIES: Record<PeriodUnit, Frequency> = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }

/** A rule counts from its beginning, or from now. */
function ruleOf(
  days: Days | undefined,
  times: MinuteOfDay[],
  { unit, count }: { unit: PeriodUnit; count: number },
  { zone, from, now }: Situation,
): Compiled | Refused {
  const clocks = productOf(times)
  if (!clocks || days?.alternatives || !isWithin(days, unit)) return 'unsupported'
  const { unit: _unit, alternatives: _alternatives, ...parts } = days ?? EVERY_DAY
  const rule: RepeatRule = { freq: FREQUENCIES[unit], interval: count, weekStart: 1, ...parts, ...clocks }
  return recurrenceOfRule(rule, from ? wallOf(from.at) : wallNow(zone, now), zone)
}

/** Every two years the first Monday of May; but no day of the week every two days. */
function isWithin(days: Days | undefined, unit: PeriodUnit): boolean {
  if (!days || days.unit === unit) return true
  if (unit !== 'year' || days.unit !== 'month') return false
  return days.byMonth !== undefined && (!days.bySetPos || days.byMonth.length === 1)
}

const wallOf = (at: DateTime): Wall => Date.parse(`${at.toFormat("yyyy-MM-dd'T'HH:mm")}Z`)

/** Hours and minutes of a rule go each with each; 8:30 and 20:00 are no such pair, and the day after is another day. */
function productOf(times: readonly MinuteOfDay[]): { byHour: number[]; byMinute: number[] } | undefined {
  if (times.some((time) => time < 0 || time >= DAY)) return undefined
  const byHour = [...new Set(times.map((time) => Math.floor(time / 60)))]
  const byMinute = [...new Set(times.map((time) => time % 60))]
  return byHour.length * byMinute.length === new Set(times).size ? { byHour, byMinute } : undefined
}
