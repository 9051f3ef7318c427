import { DateTime } from 'luxon'
import { parseTimeExpression } from './parse-time-expression'

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const FIRST_YEAR = 1970
const TIME_OF_DAY =
  /\d[:：]\d|[\d一二三四五六七八九十两半]\s*[点點时時]|小时|小時|分钟|分鐘|秒|^[上中下]午$|^[早晚]上$|\b(?:am|pm|o'?clock|hours?|minutes?|seconds?)\b|^(?:(?:in the )?(?:morning|afternoon|evening)|at night|noon)$/i

/** A day as YYYY-MM-DD, from the same or from words; undefined when it is none. A time of day is no part of a day. */
export function readDay(text: string, now: Date, zone: string): string | undefined {
  const said = text.trim()
  if (ISO_DAY.test(said)) {
    const day = DateTime.fromISO(said, { zone: 'utc' })
    return day.isValid && day.year >= FIRST_YEAR ? said : undefined
  }
  if (TIME_OF_DAY.test(said)) return undefined
  // Read from midnight on, so that "今天" is today at any hour.
  const midnight = DateTime.fromJSDate(now, { zone }).startOf('day').toJSDate()
  const reading = parseTimeExpression({ text: said, now: midnight, zone })
  return reading.instant && DateTime.fromJSDate(reading.instant, { zone }).toFormat('yyyy-MM-dd')
}
