import type { RepeatRule, Wall } from './repeat-rule'
import { DAY, floorTo, HOUR, isSubDaily, weekdayOf } from './repeat-rule'

const MINUTE = 60_000
/** Temporal looks no further. */
const LAST_WALL = Date.UTC(2101, 0, 1)
/** So many steps without a match, and a rule within the day is taken for one that never comes. */
const MOST_STEPS = 500_000

/**
 * The wall clocks of a complete rule, rising, from its beginning on and not before `from`, by RFC 5545: what a period holds
 * is counted from the period of the beginning, and a day that a month does not have is left out.
 */
export function* occurrencesOf(rule: RepeatRule, start: Wall, from: Wall = start): Generator<Wall, void> {
  const first = Math.max(start, from)
  const walls = isSubDaily(rule) ? wallsWithinDays(rule, start, first) : wallsOfDays(rule, start, first)
  for (const wall of walls) if (wall >= first) yield wall
}

function* wallsOfDays(rule: RepeatRule, start: Wall, first: Wall): Generator<Wall, void> {
  const times = timesOf(rule)
  for (const days of periods(rule, start, first)) {
    const walls = days.filter((day) => fitsDay(rule, day)).flatMap((day) => times.map((time) => day + time))
    yield* picked(walls, rule.bySetPos)
  }
}

const timesOf = ({ byHour = [0], byMinute = [0] }: RepeatRule): number[] =>
  rising(byHour).flatMap((hour) => rising(byMinute).map((minute) => hour * HOUR + minute * MINUTE))

const rising = (values: readonly number[]): number[] => [...new Set(values)].sort((left, right) => left - right)

/** The days of each period that the rule looks at, beginning with the one in which `first` lies or the last before it. */
function* periods({ freq, interval, weekStart }: RepeatRule, start: Wall, first: Wall): Generator<Wall[], void> {
  const daysFrom = (day: Wall, count: number): Wall[] => Array.from({ length: count }, (_, index) => day + index * DAY)
  if (freq === 'DAILY' || freq === 'WEEKLY') {
    const length = freq === 'DAILY' ? 1 : 7
    const today = floorTo(start, DAY)
    const origin = freq === 'DAILY' ? today : today - ((weekdayOf(start) - weekStart + 7) % 7) * DAY
    const step = length * interval * DAY
    for (let at = origin + Math.max(0, Math.floor((first - origin) / step)) * step; at < LAST_WALL; at += step)
      yield daysFrom(at, length)
    return
  }
  const months = freq === 'YEARLY' ? 12 : 1
  const monthOf = (wall: Wall): number => {
    const date = new Date(wall)
    return date.getUTCFullYear() * 12 + (freq === 'YEARLY' ? 0 : date.getUTCMonth())
  }
  const [origin, step] = [monthOf(start), months * interval]
  for (let at = origin + Math.max(0, Math.floor((monthOf(first) - origin) / step)) * step; ; at += step) {
    const from = firstOfMonth(at)
    if (from >= LAST_WALL) return
    yield daysFrom(from, (firstOfMonth(at + months) - from) / DAY)
  }
}

const firstOfMonth = (month: number): Wall => Date.UTC(Math.floor(month / 12), month % 12)

function fitsDay(rule: RepeatRule, day: Wall): boolean {
  const { freq, byMonth, byMonthDay, byDay } = rule
  const date = new Date(day)
  const [month, dayOfMonth] = [date.getUTCMonth() + 1, date.getUTCDate()]
  if (byMonth && !byMonth.includes(month)) return false
  const length = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate()
  if (byMonthDay && !byMonthDay.some((each) => each === dayOfMonth || each === dayOfMonth - length - 1)) return false
  if (!byDay) return true
  const isOfYear = freq === 'YEARLY' && !byMonth
  const weekday = weekdayOf(day)
  return byDay.some(
    (each) => each.weekday === weekday && (each.nth === undefined || isNth(each.nth, day, isOfYear, length)),
  )
}

function isNth(nth: number, day: Wall, isOfYear: boolean, monthLength: number): boolean {
  const date = new Date(day)
  const year = date.getUTCFullYear()
  const index = isOfYear ? (day - Date.UTC(year, 0, 1)) / DAY : date.getUTCDate() - 1
  const left = isOfYear ? (Date.UTC(year, 11, 31) - day) / DAY : monthLength - date.getUTCDate()
  return nth > 0 ? Math.floor(index / 7) + 1 === nth : Math.floor(left / 7) + 1 === -nth
}

/** BYSETPOS: the n-th of what a period holds. */
function picked(walls: Wall[], positions: readonly number[] | undefined): Wall[] {
  if (!positions) return walls
  const chosen = positions.map((position) => walls.at(position > 0 ? position - 1 : position))
  return rising(chosen.filter((wall) => wall !== undefined))
}

/** Every so many hours or minutes, counted on the wall clock from the beginning. */
function* wallsWithinDays(rule: RepeatRule, start: Wall, first: Wall): Generator<Wall, void> {
  const unit = rule.freq === 'HOURLY' ? HOUR : MINUTE
  const step = unit * rule.interval
  const origin = floorTo(start, unit)
  const jump = (wall: Wall): Wall => origin + Math.max(0, Math.ceil((wall - origin) / step)) * step
  let steps = 0
  let at = jump(first - step)
  while (at < LAST_WALL && (steps += 1) < MOST_STEPS) {
    const day = floorTo(at, DAY)
    if (!fitsDay(rule, day)) {
      at = jump(day + DAY)
      continue
    }
    const walls = wallsOfUnit(rule, at)
    if (walls.length > 0) steps = 0
    yield* walls
    at += step
  }
}

function wallsOfUnit({ freq, byHour, byMinute = [], bySetPos }: RepeatRule, at: Wall): Wall[] {
  const date = new Date(at)
  if (byHour && !byHour.includes(date.getUTCHours())) return []
  if (freq === 'MINUTELY') {
    const fits = byMinute.length === 0 || byMinute.includes(date.getUTCMinutes())
    return fits ? picked([at], bySetPos) : []
  }
  return picked(
    rising(byMinute).map((minute) => at + minute * MINUTE),
    bySetPos,
  )
}
