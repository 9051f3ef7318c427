import type { Clock } from './draft'
import { map, number, optional, sequence, word } from './grammar'
import type { Rule } from './grammar'

export const digitsOf = (shortest: number, most: number): Rule<string> =>
  number(({ digits, text }) =>
    digits !== '' && digits === text && digits.length >= shortest && digits.length <= most ? digits : undefined,
  )

const second: Rule<string> = map(
  sequence(word(':'), digitsOf(2, 2), optional(sequence(word('.'), digitsOf(1, 9)))),
  ([, digits]) => digits,
)

/** 8:30, 08:30, 20:30:15. A leading zero or an hour past twelve says that it is the 24-hour clock. */
export const digitalClock: Rule<Clock> = map(
  sequence(digitsOf(1, 2), word(':'), digitsOf(2, 2), optional(second)),
  ([hour, , minute, seconds]) => ({
    hour: Number(hour),
    minute: Number(minute),
    second: Number(seconds ?? 0),
    digital: true,
    ...(hour.startsWith('0') || Number(hour) > 12 ? { exact: true } : {}),
  }),
)
