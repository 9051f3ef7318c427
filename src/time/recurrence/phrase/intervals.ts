import type { Duration } from '../../duration'
import type { Piece } from './piece'
import { EVERY_DAY, UNSUPPORTED } from './piece'

/** Days, weeks, months and years follow the calendar, hours and minutes are elapsed time; working days have no length. */
export function intervalOf({ months, days, businessDays, seconds }: Duration): Piece[] {
  if (businessDays !== 0 || (months !== 0 && (days !== 0 || seconds !== 0))) return [UNSUPPORTED]
  if (months !== 0) return [months % 12 === 0 ? period('year', months / 12) : period('month', months)]
  if (days === 0 || seconds !== 0) return [{ kind: 'interval', seconds: days * 86_400 + seconds }]
  if (days === 1) return [EVERY_DAY]
  return [days % 7 === 0 ? period('week', days / 7) : period('day', days)]
}

export const period = (unit: 'day' | 'week' | 'month' | 'year', count: number): Piece => ({
  kind: 'period',
  unit,
  count,
})
