import type { Wall } from '../wall-clock'
import { addDays, wallDay } from '../wall-clock'

/** The n-th such weekday of a month; -1 is the last. */
export function nthWeekdayOfMonth(wish: {
  year: number
  month: number
  nth: number
  weekday: number
}): Wall | undefined {
  const first = wallDay(wish.year, wish.month, 1)
  if (!first) return undefined
  if (wish.nth < 0) {
    const last = first.endOf('month').startOf('day')
    return addDays(last, -((last.weekday - wish.weekday + 7) % 7))
  }
  const found = addDays(first, ((wish.weekday - first.weekday + 7) % 7) + (wish.nth - 1) * 7)
  return found.month === wish.month ? found : undefined
}

/** A weekday of the n-th week of a month; the first week is the one that holds the 1st. */
export function weekdayOfMonthWeek(wish: {
  year: number
  month: number
  nth: number
  weekday: number
}): Wall | undefined {
  const first = wallDay(wish.year, wish.month, 1)
  return first && addDays(first, wish.weekday - first.weekday + (wish.nth - 1) * 7)
}

/** Whole weeks at once, then day by day, so that a large count costs no more than a small one. */
export function addBusinessDays(day: Wall, count: number): Wall {
  const step = Math.sign(count)
  let wall = addDays(day, Math.trunc(count / 5) * 7)
  for (let left = Math.abs(count) % 5; left > 0;) {
    wall = addDays(wall, step)
    if (wall.weekday < 6) left -= 1
  }
  return wall
}
