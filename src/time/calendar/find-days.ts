import type { Draft } from '../draft'
import { hasDate } from '../draft'
import type { Wall } from '../wall-clock'
import { addDays } from '../wall-clock'
import { findMonthDays } from './find-month-days'
import { holidayIn } from './holidays'
import { dayOfLunar, lunarYearOf, nextLunarDays } from './lunar'
import { solarTermDay } from './solar-terms'

/** The days a draft may mean, the likeliest first; what comes later is for when the earlier ones are past. */
export type Days = Wall[] | 'invalid_date' | 'ambiguous'

export function findDays(draft: Draft, today: Wall): Days {
  if (!hasDate(draft)) return [today, addDays(today, 1)]
  if (draft.dayOffset !== undefined) return findNearDay(draft, today, draft.dayOffset)
  if (draft.holiday !== undefined || draft.solarTerm !== undefined) return findFeast(draft, today)
  if (draft.lunar) return findLunarDay(draft, today)
  if (draft.nth !== undefined || draft.month !== undefined || draft.day !== undefined)
    return findMonthDays(draft, today)
  if (draft.weekday !== undefined) return findWeekday(draft, draft.weekday, today)
  if (draft.weekOffset) return [today.plus({ weeks: draft.weekOffset })]
  if (draft.monthOffset) return [today.plus({ months: draft.monthOffset })]
  if (draft.yearOffset) return [today.plus({ years: draft.yearOffset })]
  return 'ambiguous'
}

/** "tomorrow, Friday" must agree with the calendar; 明年今天 counts the year first. */
function findNearDay(draft: Draft, today: Wall, days: number): Days {
  const { yearOffset: years = 0, monthOffset: months = 0, weekOffset: weeks = 0 } = draft
  const base = years || months ? today.plus({ years, months }) : today
  const day = addDays(base, weeks * 7 + days)
  const agrees =
    (draft.weekday === undefined || draft.weekday === day.weekday) &&
    (draft.year === undefined || draft.year === day.year) &&
    (draft.month === undefined || draft.month === day.month) &&
    (draft.day === undefined || draft.day === day.day) &&
    draft.holiday === undefined &&
    draft.solarTerm === undefined &&
    draft.nth === undefined
  return agrees ? [day] : 'ambiguous'
}

function yearsFor(draft: Draft, from: number, count: number): number[] {
  if (draft.year !== undefined) return [draft.year]
  if (draft.yearOffset !== undefined) return [from + draft.yearOffset]
  return Array.from({ length: count }, (_, ahead) => from + ahead)
}

const future = (days: (Wall | undefined)[], today: Wall): Wall[] =>
  days.filter((day): day is Wall => day !== undefined && day >= today)

function findFeast(draft: Draft, today: Wall): Days {
  const { holiday, solarTerm } = draft
  const years = yearsFor(draft, today.year, 3)
  // A feast of the old calendar may fall in the Gregorian year after its own.
  if (draft.year === undefined && draft.yearOffset === undefined) years.unshift(today.year - 1)
  const days = years.map((year) =>
    holiday === undefined ? solarTermDay(year, solarTerm ?? 0) : holidayIn(year, holiday),
  )
  return years.length === 1 ? days.filter((day) => day !== undefined) : future(days, today)
}

function findLunarDay(draft: Draft, today: Wall): Days {
  const { month, day } = draft
  if (typeof day !== 'number' || day > 30) return day === undefined ? 'ambiguous' : 'invalid_date'
  if (month === undefined) return nextLunarDays(today, day)
  if (month > 12) return 'invalid_date'
  const fixed = draft.year !== undefined || draft.yearOffset !== undefined
  const years = yearsFor(draft, fixed ? today.year : lunarYearOf(today), 3)
  const days = years.map((year) => dayOfLunar(year, month, day))
  if (days.every((found) => found === undefined)) return 'invalid_date'
  return fixed ? days.filter((found) => found !== undefined) : future(days, today)
}

function findWeekday(draft: Draft, weekday: number, today: Wall): Days {
  const monday = addDays(today, 1 - today.weekday)
  const inWeek = (week: number): Wall => addDays(monday, week * 7 + weekday - 1)
  const ahead = (weekday - today.weekday + 7) % 7
  const choice = draft.weekdayChoice
  if (draft.weekOffset !== undefined) return [inWeek(draft.weekOffset)]
  if (choice === 'next') return [inWeek(1)]
  if (choice === 'last') return [addDays(today, -(((today.weekday - weekday + 6) % 7) + 1))]
  if (typeof choice === 'object') return [addDays(today, (ahead || 7) + (choice.count - 1) * 7)]
  const dateOnly = !draft.clock && !draft.period && !draft.endOfDay
  // Whoever means today says so: a bare weekday on that very day is the one a week away.
  const first = ahead === 0 && dateOnly ? 7 : ahead
  return [addDays(today, first), addDays(today, first + 7)]
}
