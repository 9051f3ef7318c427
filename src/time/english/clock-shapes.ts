import { digitsOf } from '../digital-clock'
import type { Clock } from '../draft'
import { longest, map, notBefore, number, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { spelledSmall } from './numbers'

export const at = (hour: number, minute = 0): Clock => ({
  hour,
  minute,
  second: 0,
  ...(hour === 0 || hour > 12 ? { exact: true } : {}),
})

const dot = optional(word('.'))
const letter = (letters: string): Rule<unknown> =>
  longest<unknown>(
    sequence(word(letters), dot, word('m'), dot),
    sequence(word(`${letters}m`), dot),
    sequence(word(letters), dot),
  )
export const half: Rule<'am' | 'pm'> = longest(
  map(letter('a'), () => 'am' as const),
  map(letter('p'), () => 'pm' as const),
)
export const oclock = longest(word("o'clock oclock"), phrase('o clock'), phrase("o ' clock"))
export const ish = sequence(optional(word('-')), word('ish'))

const oh: Rule<number> = map(sequence(word('oh ou o zero'), spelledSmall), ([, minute]) =>
  minute < 10 ? minute : undefined,
)
/** ten thirty, twelve oh three: minutes under ten need their "oh", or "two three" would be a time. */
export const spelledPair: Rule<Clock> = map(
  sequence(
    spelledSmall,
    optional(word('-')),
    longest(
      oh,
      map(spelledSmall, (minute) => (minute > 9 ? minute : undefined)),
    ),
  ),
  ([hour, , minute]) => (hour <= 24 && minute < 60 ? at(hour, minute) : undefined),
)
export const hourMinute: Rule<Clock> = map(
  sequence(digitsOf(1, 2), word('h'), digitsOf(2, 2), notBefore(word('m min mins minutes'))),
  ([hour, , minute]) => ({ ...at(Number(hour), Number(minute)), ...(hour.startsWith('0') ? { exact: true } : {}) }),
)
export const militaryHours = optional(word('hours hrs'))
/** "0800 hours", by its leading zero. */
export const military: Rule<Clock> = map(sequence(digitsOf(4, 4), word('hours hrs')), ([digits]) =>
  digits.startsWith('0') ? { ...at(Number(digits.slice(0, 2)), Number(digits.slice(2))), exact: true } : undefined,
)
/** 830, 1030. */
export const runTogether: Rule<Clock> = map(digitsOf(3, 4), (digits) => {
  const clock = at(Number(digits.slice(0, -2)), Number(digits.slice(-2)))
  return digits.startsWith('0') ? { ...clock, exact: true } : clock
})
export const pointed: Rule<Clock> = map(
  sequence(
    digitsOf(1, 2),
    word('.'),
    number((here) => (!here.spaced && here.digits.length === 2 ? here.digits : undefined)),
  ),
  ([hour, , minute]) => at(Number(hour), Number(minute)),
)
export const spacedPair: Rule<Clock> = map(sequence(digitsOf(1, 2), digitsOf(2, 2)), ([hour, minute]) =>
  at(Number(hour), Number(minute)),
)
export const namedHour: Rule<Clock> = longest(
  map(
    sequence(
      optional(sequence(word('12 twelve'), optional(oclock))),
      longest(
        word('noon midday noonish lunchtime lunch'),
        phrase('mid day'),
        phrase('mid - day'),
        phrase('lunch time'),
      ),
    ),
    () => ({ ...at(12), exact: true }),
  ),
  map(
    sequence(
      optional(sequence(word('12 twelve'), optional(oclock))),
      optional(word('the')),
      longest(word('midnight'), phrase('mid night'), phrase('mid - night')),
    ),
    () => ({ ...at(0), exact: true }),
  ),
)
