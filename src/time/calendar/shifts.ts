import type { Draft } from '../draft'
import { hasDate } from '../draft'
import type { Duration } from '../duration'
import { isElapsedOnly } from '../duration'
import type { Wall } from '../wall-clock'
import { addDays, addSeconds, placeInZone } from '../wall-clock'
import { findTimes } from './find-times'
import { addBusinessDays } from './month-days'
import type { Moment, Resolved, Unresolved } from './resolve'

/** Beyond this no calendar of ours holds; it also keeps luxon from invalid dates. */
const MOST_MONTHS = 12 * 2000

/** Moves by the calendar parts alone, then to a weekday of the week reached (after months: the next such day). */
export function moveDay(day: Wall, shift: Duration, weekday?: number): Wall {
  const months = Math.max(-MOST_MONTHS, Math.min(MOST_MONTHS, shift.months))
  const days = Math.max(-MOST_MONTHS * 30, Math.min(MOST_MONTHS * 30, shift.days))
  const moved = addDays(months === 0 ? day : day.plus({ months }), days)
  const reached = shift.businessDays === 0 ? moved : addBusinessDays(moved, Math.min(shift.businessDays, 500_000))
  if (weekday === undefined) return reached
  if (months !== 0) return addDays(reached, (weekday - reached.weekday + 7) % 7)
  return addDays(reached, weekday - reached.weekday)
}

/** "in 3 hours" is elapsed time; "in 3 days" is the same wall clock three days on; "in 3 days at 5pm" is neither's. */
export function resolveShiftFromNow(draft: Draft, shift: Duration, moment: Moment): Resolved | Unresolved {
  const { weekday, dayOffset } = draft
  const restOfDate = { ...draft, weekday: undefined, ...(dayOffset === 0 ? { dayOffset: undefined } : {}) }
  if (hasDate(restOfDate)) return { ok: false, code: 'ambiguous' }
  const hasTime = draft.clock !== undefined || draft.period !== undefined || draft.endOfDay === true
  if (hasTime || (weekday !== undefined && !isElapsedOnly(shift))) return shiftToDay(draft, shift, moment)
  if (weekday !== undefined) return { ok: false, code: 'ambiguous' }
  const wall = moveDay(moment.wall, shift)
  const placed = isElapsedOnly(shift) ? { ms: moment.nowMs, dst: 'none' as const } : placeInZone(wall, moment.zone)
  const ms = placed.ms + shift.seconds * 1000
  if (!(Math.abs(ms) < 8.64e15)) return { ok: false, code: 'too_far' }
  const shiftsBack = shift.months < 0 || shift.days < 0 || shift.seconds < 0 || shift.businessDays < 0
  if (ms < moment.nowMs || shiftsBack) return { ok: false, code: 'past', ms }
  return { ok: true, ...placed, ms, kind: 'relative', wall, draft }
}

function shiftToDay(draft: Draft, shift: Duration, { nowMs, wall, zone }: Moment): Resolved | Unresolved {
  if (shift.seconds !== 0) return { ok: false, code: 'ambiguous' }
  const day = moveDay(wall.startOf('day'), shift, draft.weekday)
  const times = findTimes(draft, { undated: false, today: false, nowSeconds: 0 })
  if (times === 'invalid_clock') return { ok: false, code: times }
  const target = addSeconds(day, times[0] ?? 0)
  if (!target.isValid) return { ok: false, code: 'too_far' }
  const placed = placeInZone(target, zone)
  if (placed.ms <= nowMs) return { ok: false, code: 'past', ms: placed.ms }
  return { ok: true, ...placed, kind: 'relative', wall: target, draft }
}
