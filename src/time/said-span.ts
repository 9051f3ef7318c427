import { findTimes } from './calendar/find-times'
import type { Clock, Period } from './draft'
import { normalize } from './normalize'
import { readParts } from './read-parts'
import { tokenize } from './tokens'
import { detectLanguage } from './zones'

/** Minutes after the midnight that begins the day; negative or past 1440 it belongs to the day before or after. */
export type MinuteOfDay = number

/** A time of day as it was said, which its neighbour or its day may have to explain. */
export interface SaidTime {
  period?: Period
  clock?: Clock
}

export interface SaidSpan {
  from: SaidTime
  to: SaidTime
}

const LONGEST_CLOCK = 40
const NOON = 720

/** A clock in words, 下午4点 or "half past three"; undefined when the text says a day, a zone or anything else besides. */
export function readTimeOfDay(text: string): SaidTime | undefined {
  if (text.length > LONGEST_CLOCK) return undefined
  const plain = normalize(text)
  const parts = readParts(tokenize(plain), detectLanguage(plain))
  if (!parts.ok) return undefined
  const { clock, period, ...rest } = parts.draft
  return clock && Object.keys(rest).length === 0 ? { clock, period } : undefined
}

export interface Span {
  first: MinuteOfDay
  last: MinuteOfDay
}

/**
 * The two ends within one day. An end that fits both halves of the day follows the part of the day that was said before
 * it (晚上7点到10点), or the table for clocks with a date, or is taken in the only way in which the span goes forward.
 */
export function spanOf({ from, to }: SaidSpan): Span | 'ambiguous' | 'backwards' | 'invalid_clock' {
  const [first, last] = [minuteOf(from), minuteOf(to)]
  if (first === undefined || last === undefined) return 'invalid_clock'
  const inherited = isOpen(to) && !isOpen(from) ? minuteOf(markedLike(from, to)) : undefined
  const isSameHalf = first >= NOON === last >= NOON
  const likely = isOpen(from) === isOpen(to) || (isOpen(from) && isSameHalf) ? last : inherited
  if (likely !== undefined && first < likely) return { first, last: likely }
  const ways = bothHalves(from, first).flatMap((start) =>
    bothHalves(to, last)
      .filter((end) => start < end)
      .map((end) => ({ first: start, last: end })),
  )
  const [only] = ways
  if (!only) return 'backwards'
  return ways.length === 1 ? only : 'ambiguous'
}

function minuteOf(said: SaidTime): MinuteOfDay | undefined {
  const found = findTimes(said, { undated: false, today: false, nowSeconds: 0 })
  const seconds = typeof found === 'string' ? undefined : found[0]
  return seconds === undefined || seconds % 60 !== 0 ? undefined : seconds / 60
}

const isOpen = ({ clock, period }: SaidTime): boolean =>
  clock !== undefined && !clock.exact && !clock.half && !period && clock.hour >= 1 && clock.hour <= 11

/** The later clock with the am, pm or part of the day of the earlier. */
const markedLike = ({ clock, period }: SaidTime, later: SaidTime): SaidTime =>
  period || !later.clock ? { ...later, period } : { clock: { ...later.clock, half: clock?.half } }

function bothHalves(said: SaidTime, minute: MinuteOfDay): MinuteOfDay[] {
  return isOpen(said) ? [minute % NOON, (minute % NOON) + NOON] : [minute]
}
