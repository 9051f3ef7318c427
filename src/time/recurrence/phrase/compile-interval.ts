import { spanOf } from '../../said-span'
import type { MinuteOfDay, SaidSpan, Span } from '../../said-span'
import type { RecurrenceRefusalCode } from '../contract'
import type { Compiled, Situation } from './compile-calendar'
import { cronOf, EVERY_DAY } from './compile-calendar'
import { daysOf } from './compile-days'
import type { Pattern } from './pattern'

type Refused = RecurrenceRefusalCode
const DAY = 1440

/** An interval alone counts from its creation; within a window or on some days it begins with the window or the day. */
export function compileInterval(pattern: Pattern, situation: Situation): Compiled | Refused {
  const { times, minutes, window, timesIn, unit, period, interval: seconds = 0 } = pattern
  if (times.length > 0 || minutes || timesIn || period) return 'unsupported'
  const days = daysOf(pattern)
  if (typeof days === 'string') return days
  if (!days && !window) {
    const { from } = situation
    const start = from?.hasClock ? from.at : from?.at.set({ hour: 9 })
    if (unit) return 'unsupported'
    return { recurrence: { kind: 'every', seconds, ...(start ? { from: start.toJSDate().toISOString() } : {}) } }
  }
  const span = hoursOf(window)
  if (typeof span === 'string') return span
  const step = seconds / 60
  const isEven = Number.isInteger(step) && step <= span.last - span.first && (window !== undefined || DAY % step === 0)
  if (!isEven) return seconds < 60 ? 'too_often' : 'unsupported'
  return cronOf(days ?? EVERY_DAY, stepsIn(span, step), situation)
}

/** The whole day, unless a window was said; one that goes around midnight is two spans. */
function hoursOf(window: SaidSpan | undefined): Span | 'ambiguous' | 'invalid_clock' {
  const span = window ? spanOf(window) : { first: 0, last: DAY - 1 }
  return span === 'backwards' ? 'ambiguous' : span
}

function stepsIn({ first, last }: Span, step: number): MinuteOfDay[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
}

/** Some minutes of every hour, or of the hours of a window. */
export function compileMinutes(pattern: Pattern, situation: Situation): Compiled | Refused {
  const { times, unit, window, timesIn, period, minutes = [] } = pattern
  if (times.length > 0 || unit || timesIn || period) return 'unsupported'
  if (minutes.some((minute) => minute > 59)) return 'invalid_clock'
  const span = hoursOf(window)
  if (typeof span === 'string') return span
  const days = daysOf(pattern)
  if (typeof days === 'string') return days
  const all = Array.from({ length: 24 }, (_, hour) => minutes.map((minute) => hour * 60 + minute)).flat()
  const within = all.filter((minute) => minute >= span.first && minute <= span.last)
  return within.length === 0 ? 'unsupported' : cronOf(days ?? EVERY_DAY, within, situation)
}
