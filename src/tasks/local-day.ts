import { DateTime } from 'luxon'
import type { TimeSegment } from './contract'
import { readTimeOfDay, spanOf } from '../time'
import type { SaidTime } from '../time/said-span'

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

/** The parts of a day: morning 06:00–11:59, afternoon 12:00–17:59, evening 18:00–23:59. */
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

/** HH:mm stands as it is written, in 24 hours; everything else is read as people say it. */
function readClock(text: string): SaidTime | undefined {
  const parts = /^(\d{1,2})[:：](\d{2})$/.exec(text.trim())
  if (!parts) return readTimeOfDay(text)
  return { clock: { hour: Number(parts[1]), minute: Number(parts[2]), second: 0, exact: true } }
}

export type ClockRange = { start: string; end: string } | 'bad_time' | 'end_before_start'

/** Two clocks of one day as HH:mm; 晚上7点 and 9点 are both in the evening. */
export function readRange(startTime: string, endTime: string): ClockRange {
  const [from, to] = [readClock(startTime), readClock(endTime)]
  const span = from && to ? spanOf({ from, to }) : undefined
  if (from?.clock?.hour === 24) return 'bad_time'
  if (span === 'backwards') return 'end_before_start'
  if (typeof span !== 'object' || span.first >= MINUTES_OF_DAY || span.last > MINUTES_OF_DAY) return 'bad_time'
  return { start: toClock(span.first), end: toClock(span.last) }
}

const MINUTES_OF_DAY = 1440
const toClock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
