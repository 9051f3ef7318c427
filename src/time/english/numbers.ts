import { either, longest, map, meaning, number, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'

const list = (words: string, first: number): [string, number][] =>
  words.split(' ').map((name, index) => [name, first + index])

const UNITS = new Map(list('one two three four five six seven eight nine', 1))
const TEENS = new Map(list('ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 10))
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((name, index) => [name, (index + 2) * 10]),
)
TENS.set('fourty', 40)
const ORDINAL_UNITS = new Map(list('first second third fourth fifth sixth seventh eighth ninth', 1))
const ORDINAL_TEENS = new Map(
  list(
    'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
    10,
  ),
)
ORDINAL_TEENS.set('thirtieth', 30)

const dash = optional(word('-'))

/** One to ninety-nine. */
const belowHundred: Rule<number> = longest(
  map(sequence(meaning(TENS), optional(sequence(dash, meaning(UNITS)))), ([tens, rest]) => tens + (rest?.[1] ?? 0)),
  meaning(TEENS),
  meaning(UNITS),
)
const and = optional(word('and'))
const hundreds: Rule<number> = map(
  sequence(
    either(
      meaning(UNITS),
      map(word('a'), () => 1),
    ),
    word('hundred'),
    optional(sequence(and, belowHundred)),
  ),
  ([count, , rest]) => count * 100 + (rest?.[1] ?? 0),
)
const thousands: Rule<number> = map(
  sequence(meaning(UNITS), word('thousand'), optional(sequence(and, longest(hundreds, belowHundred)))),
  ([count, , rest]) => count * 1000 + (rest?.[1] ?? 0),
)

export const spelled: Rule<number> = longest(thousands, hundreds, belowHundred)
/** A number small enough for a clock, so that "ten forty five" is not read on into the minutes. */
export const spelledSmall: Rule<number> = longest(
  belowHundred,
  map(word('zero'), () => 0),
)
export const written: Rule<number> = number(({ value }) => (Number.isNaN(value) ? undefined : value))
export const whole: Rule<number> = either(written, spelled)

export const ordinal: Rule<number> = longest(
  map(sequence(written, word('st nd rd th')), ([value]) => value),
  map(sequence(meaning(TENS), dash, meaning(ORDINAL_UNITS)), ([tens, , units]) => tens + units),
  meaning(ORDINAL_UNITS),
  meaning(ORDINAL_TEENS),
)

const decimal: Rule<number> = map(
  sequence(
    written,
    word('.'),
    number((here) => (here.spaced ? undefined : here.digits)),
  ),
  ([left, , right]) => Number(`${left}.${right}`),
)
const fraction: Rule<number> = map(sequence(written, word('/'), written), ([top, , bottom]) =>
  bottom > 0 && bottom < 10 ? top / bottom : undefined,
)
const article = word('a an one the')
const halfWord: Rule<number> = map(
  either<unknown>(
    sequence(word('half'), optional(word('a an')), optional(word('of'))),
    sequence(article, word('half')),
  ),
  () => 0.5,
)
const quarterOf: Rule<number> = map(
  sequence(
    longest(
      map(sequence(optional(article), word('quarter')), () => 0.25),
      map(sequence(word('three'), dash, word('quarters quarter')), () => 0.75),
    ),
    word('of'),
    optional(word('a an')),
  ),
  ([part]) => part,
)
const couple: Rule<number> = map(sequence(optional(word('a the')), word('couple pair'), optional(word('of'))), () => 2)
const few: Rule<number> = map(sequence(optional(word('a the')), word('few')), () => 3)
const andAHalf: Rule<number> = map(
  sequence(
    whole,
    either<unknown>(
      sequence(word('and'), optional(word('a an')), word('half')),
      sequence(word('and'), word('1'), word('/'), word('2')),
    ),
  ),
  ([count]) => count + 0.5,
)
const mixedFraction: Rule<number> = map(sequence(written, fraction), ([count, part]) => count + part)
const one: Rule<number> = map(word('a an'), () => 1)

/** How many of something: 2, two, 2.5, 1/2, half an, a couple of, two and a half. */
export const amount: Rule<number> = longest(
  andAHalf,
  mixedFraction,
  decimal,
  fraction,
  quarterOf,
  couple,
  few,
  halfWord,
  whole,
  one,
)
