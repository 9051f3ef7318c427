import { DateTime } from 'luxon'
import type { TimeQuestion, TimeReading, TimeRefusal } from './parse-time-expression'
import { parseTimeExpression } from './parse-time-expression'

/** The moment up to which something holds: a day that is named alone is included to its end, also when it is today. */
export function readLastMoment(question: TimeQuestion): TimeReading | TimeRefusal {
  const { now, zone } = question
  const midnight = DateTime.fromJSDate(now, { zone }).startOf('day').minus({ milliseconds: 1 }).toJSDate()
  const reading = parseTimeExpression(question)
  const day = !reading.ok && reading.code === 'past' ? parseTimeExpression({ ...question, now: midnight }) : reading
  if (!day.ok || !day.isWholeDay) return reading
  const last = DateTime.fromJSDate(day.instant, { zone }).endOf('day')
  if (last.toJSDate() <= now) return reading
  return { ...day, instant: last.toJSDate(), local: last.toISO() ?? '', note: undefined }
}
