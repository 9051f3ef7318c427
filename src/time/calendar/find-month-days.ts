import type { Draft } from '../draft'
import type { Wall } from '../wall-clock'
import { wallDay } from '../wall-clock'
import type { Days } from './find-days'
import { nthWeekdayOfMonth, weekdayOfMonthWeek } from './month-days'

interface Month {
  year: number
  month: number
}

/** Days named by month, day of the month or "the second Friday of": this month or year if still ahead, else later. */
export function findMonthDays(draft: Draft, today: Wall): Days {
  const { month, day, weekday } = draft
  if (draft.monthIsShort && day === undefined && draft.nth === undefined && draft.year === undefined) return 'ambiguous'
  if ((month !== undefined && (month < 1 || month > 12)) || (typeof day === 'number' && (day < 1 || day > 31)))
    return 'invalid_date'
  const found = monthsFor(draft, today)
    .map((each) => dayIn(each, draft))
    .filter((wall): wall is Wall => wall !== undefined)
  if (found.length === 0) return 'invalid_date'
  return weekday === undefined || draft.nth !== undefined ? found : preferWeekday(found, draft, today)
}

function monthsFor(draft: Draft, today: Wall): Month[] {
  const { month, monthOffset } = draft
  if (monthOffset !== undefined) return [monthAfter(today, monthOffset)]
  const year = draft.year ?? (draft.yearOffset === undefined ? undefined : today.year + draft.yearOffset)
  if (month === undefined) {
    if (year !== undefined) return []
    return Array.from({ length: draft.weekday === undefined ? 4 : 60 }, (_, ahead) => monthAfter(today, ahead))
  }
  if (year !== undefined) return [{ year, month }]
  // Nine years always hold a 29 February, also around a century that is no leap year.
  return Array.from({ length: 9 }, (_, ahead) => ({ year: today.year + ahead, month }))
}

function monthAfter(today: Wall, months: number): Month {
  const count = today.year * 12 + today.month - 1 + months
  return { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 }
}

function dayIn({ year, month }: Month, draft: Draft): Wall | undefined {
  if (draft.nth !== undefined) {
    const wish = { year, month, nth: draft.nth, weekday: draft.weekday ?? 1 }
    return draft.weekOfMonth ? weekdayOfMonthWeek(wish) : nthWeekdayOfMonth(wish)
  }
  if (draft.day === 'last' || (draft.day === undefined && draft.endOfDay))
    return wallDay(year, month, 1)?.endOf('month').startOf('day')
  return wallDay(year, month, draft.day ?? 1)
}

/**
 * A weekday beside a day of the month picks the month. Beside a whole date it may pick between this year and the next,
 * and otherwise gives way: people mistake the weekday, not the date.
 */
function preferWeekday(days: Wall[], draft: Draft, today: Wall): Days {
  const fits = (day: Wall): boolean => day.weekday === draft.weekday
  if (draft.month === undefined && draft.monthOffset === undefined) {
    const matching = days.filter((day) => day >= today && fits(day))
    return matching.length > 0 ? matching : 'invalid_date'
  }
  const ahead = days.filter((day) => day >= today)
  return [...ahead.slice(0, 2).filter(fits), ...days]
}
