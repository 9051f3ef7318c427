import type { Duration } from '../../duration'
import type { Piece } from './piece'
import { EVERY_DAY, UNSUPPORTED } from './piece'

/** Months and working days have no fixed length. Every single day is a day of the calendar, not 24 hours. */
export function intervalOf({ months, days, businessDays, seconds }: Duration): Piece[] {
  if (months !== 0 || businessDays !== 0) return [UNSUPPORTED]
  if (days === 1 && seconds === 0) return [EVERY_DAY]
  return [{ kind: 'interval', seconds: days * 86_400 + seconds }]
}
