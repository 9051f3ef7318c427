import type { Wall } from '../wall-clock'
import { wallDay } from '../wall-clock'

/** Western Easter Sunday by the Gregorian computus. */
export function easterSunday(year: number): Wall | undefined {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const moonShift = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15
  const epact = moonShift % 30
  const correction = epact === 29 || (epact === 28 && golden > 10) ? 1 : 0
  const fullMoon = epact - correction
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7
  const day = fullMoon - weekday
  const march = wallDay(year, 3, 28)
  return march?.plus({ days: day })
}
