import { digitsOf } from '../digital-clock'
import type { Draft } from '../draft'
import { UNITS, durationOf, negate } from '../duration'
import { end, longest, map, meaning, notBefore, optional, phrase, sequence, token, word } from '../grammar'
import type { Rule } from '../grammar'
import { englishNumericDates } from '../numeric-dates'
import { ordinal, spelled, whole, written } from './numbers'
import { weekdayName } from './weekdays'

const FULL_MONTHS = 'january february march april may june july august september october november december'.split(' ')
const SHORT_MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

const MONTHS = new Map<string, Draft>([
  ...SHORT_MONTHS.map((name, index): [string, Draft] => [name, { month: index + 1, monthIsShort: true }]),
  ['sept', { month: 9, monthIsShort: true }],
  ...FULL_MONTHS.map((name, index): [string, Draft] => [name, { month: index + 1 }]),
])
const monthName: Rule<Draft> = map(sequence(meaning(MONTHS), optional(word('.'))), ([month]) => month)
export const monthNumber: Rule<number> = map(monthName, (found) => found.month)
const month = monthNumber

const clockSign = word(": am pm a p h o'clock oclock st nd rd th")
const joint = optional(longest(word(', - / of .'), phrase(', of')))
const dayNumber: Rule<number> = longest(
  map(sequence(ordinal, optional(word('day')), optional(word('.'))), ([day]) => day),
  map(sequence(whole, notBefore(clockSign)), ([day]) => (day >= 1 && day <= 31 ? day : undefined)),
)
const year: Rule<number> = longest(
  map(digitsOf(4, 4), (digits) => (Number(digits) >= 1900 ? Number(digits) : undefined)),
  map(sequence(digitsOf(4, 4), notBefore(clockSign)), ([digits]) =>
    Number(digits) >= 1900 ? Number(digits) : undefined,
  ),
  map(spelled, (value) => (value >= 1900 ? value : undefined)),
  map(
    sequence(optional(word("'")), digitsOf(2, 2), end),
    ([, digits]) => Number(digits) + (Number(digits) < 70 ? 2000 : 1900),
  ),
)

const the = optional(word('the'))
const dayAndMonth: Rule<Draft> = longest<Draft>(
  map(sequence(month, joint, the, dayNumber), ([found, , , day]) => ({ month: found, day })),
  map(sequence(the, dayNumber, joint, month), ([, day, , found]) => ({ month: found, day })),
)
const named: Rule<Draft> = longest<Draft>(
  map(sequence(dayAndMonth, optional(sequence(joint, year))), ([date, found]) =>
    found ? { ...date, year: found[1] } : date,
  ),
  map(sequence(digitsOf(4, 4), joint, month, joint, dayNumber), ([found, , m, , day]) => ({
    year: Number(found),
    month: m,
    day,
  })),
  map(sequence(digitsOf(4, 4), joint, dayNumber, joint, month), ([found, , day, , m]) => ({
    year: Number(found),
    month: m,
    day,
  })),
  map(sequence(dayNumber, joint, digitsOf(4, 4), joint, month), ([day, , found, , m]) => ({
    year: Number(found),
    month: m,
    day,
  })),
  map(sequence(month, joint, year), ([found, , y]) => ({ month: found, year: y })),
  map(sequence(optional(word('in next this')), monthName), ([lead, found]) => (lead ? { month: found.month } : found)),
)

const dayAlone: Rule<Draft> = longest<Draft>(
  map(sequence(the, ordinal, optional(word('day'))), ([, day]) => ({ day })),
  map(sequence(word('the'), written, notBefore(clockSign)), ([, day]) => (day <= 31 ? { day } : undefined)),
  map(
    sequence(
      word('on'),
      written,
      notBefore(
        sequence(
          notBefore(word('at @ , .')),
          token(() => true),
        ),
      ),
    ),
    ([, day]) => (day >= 1 && day <= 31 ? { day } : undefined),
  ),
  map(sequence(written, word('of'), relativeMonth()), ([day, , found]) => ({ day, ...found })),
)

function relativeMonth(): Rule<Draft> {
  return longest<Draft>(
    map(sequence(the, word('next following coming'), word('month')), () => ({ monthOffset: 1 })),
    map(sequence(word('this'), word('month')), () => ({ monthOffset: 0 })),
    // "the 1st of the month" is the next one to come, so the month says nothing.
    map(phrase('the month'), () => ({})),
    map(sequence(word('last previous past'), word('month')), () => ({ monthOffset: -1 })),
    map(phrase('the month after next'), () => ({ monthOffset: 2 })),
  )
}

const relativeYear: Rule<Draft> = longest<Draft>(
  map(sequence(the, word('next following coming'), word('year')), () => ({ yearOffset: 1 })),
  map(sequence(word('this'), word('year')), () => ({ yearOffset: 0 })),
  map(sequence(word('last previous past'), word('year')), () => ({ yearOffset: -1 })),
)

const DAY_WORDS = new Map<string, number>([
  ['today', 0],
  ...'tomorrow tomorrows tmr tmrw tmw tmrow tomo tommorow tommorrow tomorow 2moro'
    .split(' ')
    .map((name): [string, number] => [name, 1]),
  ['overmorrow', 2],
  ['yesterday', -1],
])
const dayWord: Rule<Draft> = longest<Draft>(
  map(sequence(meaning(DAY_WORDS), optional(word("'s"))), ([dayOffset]) => ({ dayOffset })),
  map(sequence(the, word('day'), word('after'), meaning(DAY_WORDS)), ([, , , found]) => ({ dayOffset: found + 1 })),
  map(sequence(the, word('day'), word('before'), meaning(DAY_WORDS)), ([, , , found]) => ({ dayOffset: found - 1 })),
  map(sequence(the, word('next following'), word('day')), () => ({ dayOffset: 1 })),
  map(sequence(word('the'), word('day'), word('after'), end), () => ({ dayOffset: 1 })),
  map(sequence(the, word('day'), word('after')), () => ({
    shift: durationOf(1, UNITS.day),
    shiftFrom: 'date' as const,
  })),
  map(sequence(the, word('day'), word('before')), () => ({
    shift: negate(durationOf(1, UNITS.day)),
    shiftFrom: 'date' as const,
  })),
  map(sequence(word('later earlier'), word('today')), () => ({ dayOffset: 0 })),
)

const numeric = longest(...englishNumericDates)
const ledNumeric: Rule<Draft> = map(sequence(word('next this'), numeric), ([, date]) => date)
/** "friday 7.6" is a date, because a weekday stands before it; 7.6 alone is a number. */
const weekdayAndPoint: Rule<Draft> = map(
  sequence(optional(word('this next')), weekdayName({ plural: false }), digitsOf(1, 2), word('.'), digitsOf(1, 2)),
  ([, weekday, found, , day]) => ({ weekday, month: Number(found), day: Number(day) }),
)

export const dates: Rule<Draft>[] = [
  named,
  dayAlone,
  relativeMonth(),
  relativeYear,
  dayWord,
  numeric,
  ledNumeric,
  weekdayAndPoint,
]
