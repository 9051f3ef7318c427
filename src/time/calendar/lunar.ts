import { DateTime } from 'luxon'
import type { Wall } from '../wall-clock'
import { addDays } from '../wall-clock'

const FORMAT = new Intl.DateTimeFormat('en-u-ca-chinese', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

interface LunarDay {
  year: number
  month: number
  day: number
  leap: boolean
}

function lunarOf(day: Wall): LunarDay {
  // Noon in Beijing, where the Chinese calendar is reckoned.
  const parts = FORMAT.formatToParts(day.toMillis() + 4 * 3_600_000)
  const read = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  const month = read('month')
  return {
    year: Number(read('relatedYear')),
    month: Number.parseInt(month, 10),
    day: Number(read('day')),
    leap: /\D/.test(month),
  }
}

/** The first day of the month after the one this day is in; months have 29 or 30 days. */
function nextLunarMonth(day: Wall, lunarDay: number): Wall {
  const near = addDays(day, 31 - lunarDay)
  return addDays(near, 1 - lunarOf(near).day)
}

/** The Gregorian day of a day of the Chinese calendar; leap months are passed over. */
export function dayOfLunar(year: number, month: number, day: number): Wall | undefined {
  // The year begins between 21 January and 21 February: begin too early by two months at most, then go month by month.
  let wall = addDays(DateTime.utc(year, 1, 21), Math.floor((month - 1) * 29.5))
  for (let round = 0; round < 5; round += 1) {
    const lunar = lunarOf(wall)
    if (lunar.year === year && lunar.month === month && !lunar.leap) {
      const found = addDays(wall, day - lunar.day)
      return lunarOf(found).day === day ? found : undefined
    }
    wall = nextLunarMonth(wall, lunar.day)
  }
  return undefined
}

/** The last day of the Chinese year, 除夕: the day before the next one begins. */
export function lunarNewYearEve(year: number): Wall | undefined {
  return dayOfLunar(year + 1, 1, 1)?.minus({ days: 1 })
}

/** The coming days that are the given day of a Chinese month. */
export function nextLunarDays(today: Wall, day: number): Wall[] {
  let month = addDays(today, 1 - lunarOf(today).day)
  const days: Wall[] = []
  for (let round = 0; round < 4; round += 1) {
    const found = addDays(month, day - 1)
    if (found >= today && lunarOf(found).day === day) days.push(found)
    month = nextLunarMonth(month, 1)
  }
  return days
}

export function lunarYearOf(today: Wall): number {
  return lunarOf(today).year
}
