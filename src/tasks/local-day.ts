import { DateTime } from 'luxon'
import type { TimeSegment } from '../contracts/task'
import { parseTimeExpression } from '../time/parse-time-expression'

/** Where the person's day stands: everything about "today" follows from this. */
export interface LocalDay {
  today: string
  /** HH:mm. */
  clock: string
}

export function localDayAt(now: Date, zone: string): LocalDay {
  const local = DateTime.fromJSDate(now, { zone })
  return { today: local.toFormat('yyyy-MM-dd'), clock: local.toFormat('HH:mm') }
}

/** Seed 2, plan A: morning 06:00–11:59, afternoon 12:00–17:59, evening 18:00–23:59. */
const SEGMENT_ENDS: Partial<Record<TimeSegment, string>> = { morning: '12:00', afternoon: '18:00' }

/** The evening lasts as long as the day, and the whole day is never over before it ends. */
export function hasPassed(segment: TimeSegment, { clock }: LocalDay): boolean {
  const end = SEGMENT_ENDS[segment]
  return end !== undefined && clock >= end
}

/** What today means when nobody said a part of it; before the morning nothing has passed, as in the morning. */
export function defaultSegment({ clock }: LocalDay): TimeSegment {
  if (clock >= '18:00') return 'evening'
  return clock >= '12:00' ? 'afternoon' : 'all_day'
}

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const FIRST_YEAR = 1970
const TIME_OF_DAY =
  /\d[:：]\d|[\d一二三四五六七八九十两半]\s*[点點时時]|小时|小時|分钟|分鐘|秒|^[上中下]午$|^[早晚]上$|\b(?:am|pm|o'?clock|hours?|minutes?|seconds?)\b|^(?:(?:in the )?(?:morning|afternoon|evening)|at night|noon)$/i

/** A day as YYYY-MM-DD, from the same or from words; undefined when it is none. A time of day is no part of a day. */
export function readDay(text: string, now: Date, zone: string): string | undefined {
  const said = text.trim()
  if (ISO_DAY.test(said)) {
    const day = DateTime.fromISO(said, { zone: 'utc' })
    return day.isValid && day.year >= FIRST_YEAR ? said : undefined
  }
  if (TIME_OF_DAY.test(said)) return undefined
  // Read from midnight on, so that "今天" is today at any hour.
  const midnight = DateTime.fromJSDate(now, { zone }).startOf('day').toJSDate()
  const reading = parseTimeExpression({ text: said, now: midnight, zone })
  return reading.instant && DateTime.fromJSDate(reading.instant, { zone }).toFormat('yyyy-MM-dd')
}

/** HH:mm out of H:mm or HH:mm; undefined when it is no clock. */
export function readClock(text: string): string | undefined {
  const parts = /^(\d{1,2})[:：](\d{2})$/.exec(text.trim())
  if (!parts) return undefined
  const [hour, minute] = [Number(parts[1]), Number(parts[2])]
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return undefined
  return `${String(hour).padStart(2, '0')}:${parts[2]}`
}
