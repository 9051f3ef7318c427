import { DateTime, IANAZone } from 'luxon'
import { wallAt } from '../cron/next-cron-run'
import type { Recurrence } from '../contract'
import { occurrencesOf } from './occurrences'
import type { RruleFault, RruleText } from './read-rrule'
import { readRrule } from './read-rrule'
import type { RepeatRule, Wall } from './repeat-rule'
import { completeRule, floorTo, isSubDaily } from './repeat-rule'
import { writeRrule } from './write-rrule'

/** A recurrence with the end that its text names. */
export interface Ending {
  endsAt?: Date
  maxRuns?: number
}
export type FoundRule = Ending & { recurrence: Recurrence }

/**
 * RRULE text as a recurrence. Without DTSTART counting begins now, and now itself is no run. COUNT becomes the number of
 * runs that are left, since those before now are nobody's any more.
 */
export function recurrenceOfRrule(text: string, timezone: string, now: Date): FoundRule | RruleFault {
  const read = readRrule(text)
  if ('code' in read) return read
  const zone = read.zone ?? timezone
  const start = read.start ?? wallNow(zone, now)
  const { recurrence } = recurrenceOfRule(read.rule, start, zone)
  // An interval that counts from now has no other beginning than its creation.
  const isFromNow = recurrence.kind === 'every' && read.start === undefined
  const kept: Recurrence = isFromNow ? { kind: 'every', seconds: recurrence.seconds } : recurrence
  const found = { recurrence: kept, ...endOf(read, zone) }
  if (read.count === undefined) return found
  return { ...found, maxRuns: read.count - (read.start === undefined ? 0 : countPast(read, start, wallNow(zone, now))) }
}

/** The wall clock of now, to the minute. */
export const wallNow = (zone: string, now: Date): Wall => floorTo(wallAt(IANAZone.create(zone), now.getTime()), 60_000)

/** Hours and minutes without any condition are elapsed time; everything else keeps the wall clock. */
export function recurrenceOfRule(rule: RepeatRule, start: Wall, timezone: string): { recurrence: Recurrence } {
  const { freq, interval, byMonth, byMonthDay, byDay, byHour, byMinute, bySetPos } = rule
  const isFree = !byMonth && !byMonthDay && !byDay && !byHour && !byMinute && !bySetPos
  if (isSubDaily(rule) && isFree) {
    const seconds = interval * (freq === 'HOURLY' ? 3600 : 60)
    return { recurrence: { kind: 'every', seconds, from: instantOf(start, timezone).toISOString() } }
  }
  const text = writeRrule(completeRule(rule, start))
  return { recurrence: { kind: 'rrule', rule: text, start: new Date(start).toISOString().slice(0, 16), timezone } }
}

export const instantOf = (wall: Wall, zone: string): Date =>
  DateTime.fromISO(new Date(wall).toISOString().slice(0, 19), { zone }).toJSDate()

function endOf({ until }: RruleText, zone: string): Ending {
  if (!until) return {}
  if ('ms' in until) return { endsAt: new Date(until.ms) }
  // A day is included to its end.
  return {
    endsAt:
      'wall' in until ? instantOf(until.wall, zone) : new Date(instantOf(until.day + 86_400_000, zone).getTime() - 1),
  }
}

function countPast({ rule, count = 0 }: RruleText, start: Wall, now: Wall): number {
  let past = 0
  for (const wall of occurrencesOf(completeRule(rule, start), start)) {
    if (wall > now || past === count) break
    past += 1
  }
  return past
}
