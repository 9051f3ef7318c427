import { DateTime, IANAZone } from 'luxon'
import { resolve } from '../../calendar/resolve'
import type { Draft } from '../../draft'
import { isWholeDay } from '../../draft'
import type { Duration } from '../../duration'
import type { RecurrenceRefusalCode } from '../contract'
import type { Pattern } from './pattern'

export interface Bounds {
  /** The first moment at which it may run; `hasClock` when the clock was said with it. */
  from?: { at: DateTime; hasClock: boolean }
  endsAt?: Date
  maxRuns?: number
}

type Refused = RecurrenceRefusalCode

/** The beginning and the end that a phrase names, as moments. */
export function resolveBounds(pattern: Pattern, timezone: string, now: Date): Bounds | Refused {
  const { until, lasting, count } = pattern
  const from = pattern.from && !pattern.from.now ? startOf(pattern.from, timezone, now) : undefined
  if (typeof from === 'string') return from
  if ((until && lasting) || (count !== undefined && (until || lasting))) return 'ambiguous'
  const bounds: Bounds = { ...(from ? { from } : {}), ...(count === undefined ? {} : { maxRuns: count }) }
  if (lasting) return withEnd(bounds, endAfter(lasting, from?.at, timezone, now), now)
  if (!until) return bounds
  const end = endOf(until.draft, until.isThrough === true, timezone, now)
  return typeof end === 'string' ? end : withEnd(bounds, end, now)
}

function withEnd(bounds: Bounds, end: DateTime | undefined, now: Date): Bounds | Refused {
  if (!end?.isValid) return 'unsupported'
  const endsAt = end.toJSDate()
  if (endsAt <= now) return 'past'
  return bounds.from && bounds.from.at > end ? 'never' : { ...bounds, endsAt }
}

/** "starting next month" is its first day, "starting next week" its Monday. */
function startOf(said: Draft, timezone: string, now: Date): Bounds['from'] | Refused {
  const { day, weekday, month, monthOffset, yearOffset, year, weekOffset } = said
  const hasDay =
    day !== undefined || weekday !== undefined || said.holiday !== undefined || said.dayOffset !== undefined
  const hasMonth = month !== undefined || monthOffset !== undefined
  const draft: Draft = hasDay
    ? said
    : weekOffset !== undefined
      ? { ...said, weekday: 1 }
      : hasMonth
        ? { ...said, day: 1 }
        : yearOffset !== undefined || year !== undefined
          ? { ...said, month: 1, day: 1 }
          : said
  if (!isWholeDay(draft)) {
    if (isOpenClock(draft)) return 'ambiguous'
    const at = momentOf(draft, timezone, now.getTime())
    return typeof at === 'string' ? at : { at, hasClock: true }
  }
  const midnight = DateTime.fromJSDate(now, { zone: timezone }).startOf('day')
  const at = momentOf(draft, timezone, midnight.toMillis())
  return typeof at === 'string' ? at : { at: at.startOf('day'), hasClock: false }
}

/** A day is included to its end. A month, a week or a year alone leaves open whether it belongs to it. */
function endOf(said: Draft, isThrough: boolean, timezone: string, now: Date): DateTime | Refused {
  const hasDay = [said.day, said.weekday, said.holiday, said.dayOffset, said.clock, said.endOfDay].some(
    (each) => each !== undefined,
  )
  const hasMonth = said.month !== undefined || said.monthOffset !== undefined
  if (!hasDay && !(isThrough && hasMonth)) return 'ambiguous'
  const draft: Draft = hasDay ? said : { ...said, day: 'last' }
  if (!isWholeDay(draft)) {
    if (isOpenClock(draft)) return 'ambiguous'
    return momentOf(draft, timezone, now.getTime())
  }
  const midnight = DateTime.fromJSDate(now, { zone: timezone }).startOf('day')
  const at = momentOf(draft, timezone, midnight.toMillis())
  return typeof at === 'string' ? at : at.endOf('day')
}

const isOpenClock = ({ clock, period, ...rest }: Draft): boolean =>
  clock !== undefined && !clock.exact && !clock.half && !period && Object.keys(rest).length === 0

function momentOf(draft: Draft, timezone: string, nowMs: number): DateTime | Refused {
  const zone = IANAZone.create(timezone)
  const found = resolve(draft, nowMs, zone)
  if (found.ok) return DateTime.fromMillis(found.ms, { zone })
  return found.code === 'recurring' || found.code === 'empty' ? 'not_understood' : found.code
}

/** Three weeks from a beginning leave out its very end; from now they include it. */
function endAfter(lasting: Duration, from: DateTime | undefined, timezone: string, now: Date): DateTime | undefined {
  const { months, days, businessDays, seconds } = lasting
  if (businessDays !== 0) return undefined
  const start = from ?? DateTime.fromJSDate(now, { zone: timezone })
  const end = start.plus({ months, days }).plus({ seconds })
  return from ? end.minus({ milliseconds: 1 }) : end
}
