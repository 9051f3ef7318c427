import { DateTime } from 'luxon'
import { refuse } from '../contracts/refusal'
import type { Refusal } from '../contracts/refusal'
import { parseTimeExpression, readTimeOfDay } from '../time'
import type { TimeRefusalCode } from '../time/parse-time-expression'
import { FARTHEST_YEARS } from './contract'

export type WhenOutcome =
  { ok: true; sendAt: Date; byClock: boolean; note?: string } | (Refusal<'invalid_time'> & { detail: TimeRefusalCode })

export interface WhenQuestion {
  text: string
  now: Date
  zone: string
}

/** When a message is to come: later than now, within a year. */
export function readTime(question: WhenQuestion): WhenOutcome {
  const reading = parseTimeExpression(question)
  if (!reading.ok) return refuseTime(reading.hint, reading.code)
  return within(question.now, reading.instant, { byClock: reading.kind === 'absolute', note: reading.note })
}

/** A new time for one that was set for `old`: what it leaves out stays, the day of "10点" and the clock of "明天". */
export function readNewTime(question: WhenQuestion & { old: Date }): WhenOutcome {
  const { text, now, zone, old } = question
  const before = DateTime.fromJSDate(old, { zone })
  const clock = readTimeOfDay(text)?.clock
  if (clock) {
    const midnight = before.startOf('day').toJSDate()
    const reading = parseTimeExpression({ text, now: midnight > now ? midnight : now, zone })
    if (!reading.ok) return readTime(question)
    const isOpen = !clock.exact && !clock.half && readTimeOfDay(text)?.period === undefined && clock.hour <= 12
    const sendAt = isOpen ? nearest(reading.instant, before, now) : reading.instant
    return within(now, sendAt, { byClock: true, note: reading.note })
  }
  const reading = parseTimeExpression({ text, now, zone })
  if (!reading.ok || !reading.isWholeDay) return readTime(question)
  const { hour, minute, second } = before
  return within(now, DateTime.fromJSDate(reading.instant, { zone }).set({ hour, minute, second }).toJSDate(), {
    byClock: true,
  })
}

/** "4点" for a reminder at 3 pm is 4 pm: of the two halves of its day the nearer one that is still to come. */
function nearest(read: Date, before: DateTime, now: Date): Date {
  const ways = [-12, 0, 12].map((hours) => DateTime.fromJSDate(read, { zone: before.zone }).plus({ hours }))
  const distance = (way: DateTime) => Math.abs(way.toMillis() - before.toMillis())
  const [best] = ways
    .filter((way) => way.toMillis() > now.getTime() && way.hasSame(before, 'day'))
    .sort((one, other) => distance(one) - distance(other))
  return best?.toJSDate() ?? read
}

function within(now: Date, sendAt: Date, { byClock, note }: { byClock: boolean; note?: string }): WhenOutcome {
  if (sendAt < now) return refuseTime('This time has passed; ask for a later one.', 'past')
  if (sendAt > DateTime.fromJSDate(now).plus({ years: FARTHEST_YEARS }).toJSDate()) {
    return refuseTime('At most one year ahead; ask for a nearer time.', 'too_far')
  }
  return { ok: true, sendAt, byClock, ...(note === undefined ? {} : { note }) }
}

const refuseTime = (hint: string, detail: TimeRefusalCode) => ({ ...refuse('invalid_time', hint), detail })
