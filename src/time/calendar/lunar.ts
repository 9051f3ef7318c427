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

/** The Gregorian day of a day of the Chinese calendar; leap months are passed over. */
export function dayOfLunar(year: number, month: number, day: number): Wall | undefined {
  // A month is at most 30 days and the year begins between 21 January and 21 February: close in, then walk.
  const earliest = addDays(DateTime.utc(year, 1, 21), Math.floor((month - 1) * 29.5))
  for (let ahead = 0; ahead < 100; ahead += 1) {
    const wall = addDays(earliest, ahead)
    const lunar = lunarOf(wall)
    if (lunar.year === year && lunar.month === month && !lunar.leap && lunar.day === day) return wall
  }
  return undefined
}

/** The last day of the Chinese year, 除夕: the day before the next one begins. */
export function lunarNewYearEve(year: number): Wall | undefined {
  return dayOfLunar(year + 1, 1, 1)?.minus({ days: 1 })
}

/** The coming days that are the given day of a Chinese month. */
export function nextLunarDays(today: Wall, day: number): Wall[] {
  return Array.from({ length: 62 }, (_, ahead) => addDays(today, ahead)).filter((wall) => lunarOf(wall).day === day)
}

export function lunarYearOf(today: Wall): number {
  return lunarOf(today).year
}
