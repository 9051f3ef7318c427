import type { Zone } from 'luxon'
import type { Draft } from '../draft'
import { hasDate } from '../draft'
import { isElapsedOnly } from '../duration'
import type { TimeRefusalCode } from '../parse-time-expression'
import type { Placed, Wall } from '../wall-clock'
import { addSeconds, placeInZone, wallAt } from '../wall-clock'
import { findDays } from './find-days'
import { findTimes } from './find-times'
import { settleNumbers } from './settle-numbers'
import { moveDay, resolveShiftFromNow } from './shifts'

export interface Resolved extends Placed {
  ok: true
  kind: 'relative' | 'absolute'
  /** The wall clock that was meant, before a DST change moved it. */
  wall: Wall
  draft: Draft
  bySecondReader?: true
}
export interface Unresolved {
  ok: false
  code: TimeRefusalCode
  ms?: number
}
export interface Moment {
  nowMs: number
  zone: Zone
  /** Now on the wall, in that zone. */
  wall: Wall
}

export const refuse = (code: TimeRefusalCode, ms?: number): Unresolved => ({ ok: false, code, ms })

export function resolve(written: Draft, nowMs: number, zone: Zone): Resolved | Unresolved {
  const draft = settleNumbers(written)
  if (!draft) return refuse('ambiguous')
  const moment: Moment = { nowMs, zone, wall: wallAt(nowMs, zone) }
  if (draft.now && !hasDate(draft)) return resolveNow(draft, moment)
  if (draft.now || draft.sameTime) return resolveSameTime(draft, moment)
  if (draft.shift && draft.shiftFrom === 'now') return resolveShiftFromNow(draft, draft.shift, moment)
  if (draft.shift && !hasDate(draft) && !draft.clock) return refuse('not_understood')
  return firstAhead(draft, moment)
}

function resolveNow(draft: Draft, { nowMs, wall }: Moment): Resolved | Unresolved {
  const { now: _now, zone: _zone, ...rest } = draft
  if (Object.keys(rest).length > 0) return refuse('ambiguous')
  return { ok: true, ms: nowMs, dst: 'none', kind: 'relative', wall, draft }
}

/** 明天此时 is tomorrow at the clock of now; "this time" without a day is nothing. */
function resolveSameTime({ now: _now, ...draft }: Draft, moment: Moment): Resolved | Unresolved {
  if (!hasDate(draft) || draft.dayOffset === 0) return refuse('ambiguous')
  return firstAhead({ ...draft, sameTime: true }, moment)
}

/** The first of the days and times meant that is still ahead; the last one tried, if all are past. */
function firstAhead(draft: Draft, moment: Moment): Resolved | Unresolved {
  const today = moment.wall.startOf('day')
  const shift = draft.shift
  const leftForShift = shift && isWeekdayAfterwards(draft)
  const days = findDays(leftForShift ? { ...draft, weekday: undefined } : draft, today)
  if (typeof days === 'string') return refuse(days)
  if (shift && !isElapsedOnly(shift) && shift.seconds !== 0) return refuse('ambiguous')
  if (shift && isElapsedOnly(shift) && !draft.clock && !draft.period) return refuse('ambiguous')
  let last: number | undefined
  for (const day of days) {
    const moved = shift ? moveDay(day, shift, leftForShift ? draft.weekday : undefined) : day
    const times = findTimes(draft, situationOf(draft, moment))
    if (times === 'invalid_clock') return refuse(times)
    for (const seconds of times) {
      const wall = addSeconds(moved, seconds)
      if (!wall.isValid) return refuse('too_far')
      const placed = placeInZone(wall, moment.zone)
      const ms = placed.ms + (shift?.seconds ?? 0) * 1000
      if (ms > moment.nowMs) return { ok: true, ...placed, ms, kind: 'absolute', wall, draft }
      last = ms
    }
  }
  return refuse('past', last)
}

function situationOf(draft: Draft, { wall }: Moment): { undated: boolean; today: boolean; nowSeconds: number } {
  const undated = !hasDate(draft)
  return {
    undated,
    today: undated || draft.dayOffset === 0,
    nowSeconds: wall.hour * 3600 + wall.minute * 60 + wall.second,
  }
}

/** In "3 weeks after christmas on friday" the Friday belongs to the end; in "3 days from tuesday" to the start. */
function isWeekdayAfterwards({ weekday, month, holiday, day }: Draft): boolean {
  return weekday !== undefined && (month !== undefined || holiday !== undefined || day !== undefined)
}
