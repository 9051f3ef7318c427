import { DateTime } from 'luxon'
import type { Wall } from '../wall-clock'

const J2000 = Date.UTC(2000, 0, 1, 12)
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The sun's apparent longitude in degrees, good to about a hundredth: a quarter of an hour. */
function solarLongitude(ms: number): number {
  const days = (ms - J2000) / 86_400_000
  const mean = 280.46646 + 0.98564736 * days
  const anomaly = radians(357.52911 + 0.98560028 * days)
  const centre = 1.914602 * Math.sin(anomaly) + 0.019993 * Math.sin(2 * anomaly) + 0.000289 * Math.sin(3 * anomaly)
  const node = radians(125.04 - 0.0529538 * days)
  return mean + centre - 0.00569 - 0.00478 * Math.sin(node)
}

/** The day in Beijing on which the sun reaches the term; term 0 is the spring equinox, 15 degrees a term. */
export function solarTermDay(year: number, term: number): Wall {
  const dayOfYear = 79 + ((term * 15) / 360) * 365.2422
  let ms = Date.UTC(year, 0, 1) + (dayOfYear > 365 ? dayOfYear - 365.2422 : dayOfYear) * 86_400_000
  for (let round = 0; round < 4; round += 1) {
    const away = ((((term * 15 - solarLongitude(ms)) % 360) + 540) % 360) - 180
    ms += (away / 0.98564736) * 86_400_000
  }
  return DateTime.fromMillis(ms + 8 * 3_600_000, { zone: 'utc' }).startOf('day')
}
