import { ordinal } from '../../english/numbers'
import { monthNumber } from '../../english/dates'
import { weekdayName } from '../../english/weekdays'
import { longest, many, map, optional, phrase, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import type { NthWeekday, Piece } from './piece'
import { monthsBetween } from './piece'

const the = optional(word('the'))
const each = sequence(word('every each'), optional(word('single')))
const joint = longest(word(', and & /'), phrase(', and'))
const name = weekdayName({ plural: true })

/** "of the month", "in March": what makes an ordinal a place. */
export const ofSomething = sequence(word('of in'), longest<unknown>(word('the every each a'), monthNumber))

/** first, 2nd, last, second to last; the last is -1. */
const place: Rule<number> = longest(
  map(sequence(ordinal), ([nth]) => nth),
  map(word('last final'), () => -1),
  map(word('penultimate'), () => -2),
  map(sequence(ordinal, optional(word('-')), word('to'), optional(word('-')), word('last')), ([nth]) => -nth),
  map(sequence(word('next'), optional(word('-')), word('to'), optional(word('-')), word('last')), () => -2),
)
const places = many(place, sequence(joint, the))

const nthOfOne: Rule<NthWeekday[]> = map(sequence(the, places, name), ([, nths, weekday]) =>
  nths.map((nth) => ({ nth, weekday })),
)
const nthWeekdays: Rule<Piece[]> = map(sequence(optional(each), many(nthOfOne, joint)), ([every, found]) => {
  const days = found.flat()
  const isSure = days.every(({ nth }) => nth !== 0 && nth >= -5 && nth <= 5)
  return isSure ? [{ kind: 'nth-weekdays', days, ...(every ? { isEvery: true as const } : {}) }] : undefined
})

const workday = longest<unknown>(
  word('weekday workday'),
  sequence(word('business working work'), word('day')),
  sequence(word('week'), word('day')),
)
const nthWorkdays: Rule<Piece[]> = map(sequence(optional(each), the, places, workday), ([, , nths]) =>
  nths.every((nth) => nth >= -20 && nth <= 20 && nth !== 0) ? [{ kind: 'nth-workdays', nths }] : undefined,
)

/** "the first and last day", "the 15th and the last day", "month end". */
const nthDays: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(the, places, optional(word('calendar')), word('day')), ([, days]) => [{ kind: 'month-days', days }]),
  map(sequence(many(ordinal, sequence(joint, the)), joint, the, word('last'), word('day')), ([days]): Piece[] => [
    { kind: 'month-days', days: [...days, -1] },
  ]),
)

const everyMonth = sequence(word('of'), longest<unknown>(each, word('the a')), word('month'))
const monthEdge: Rule<Piece[]> = longest<Piece[]>(
  map(
    longest<unknown>(
      sequence(optional(each), word('month'), optional(word('-')), word('end')),
      sequence(the, word('end'), everyMonth),
      sequence(the, word('end'), word('of'), word('month')),
    ),
    () => [
      { kind: 'month-days', days: [-1] },
      { kind: 'unit', unit: 'month' },
    ],
  ),
  map(sequence(the, word('start beginning'), everyMonth), () => [
    { kind: 'month-days', days: [1] },
    { kind: 'unit', unit: 'month' },
  ]),
  map(sequence(the, word('end'), word('of'), longest<unknown>(each, word('the a')), word('quarter')), () => [
    { kind: 'month-days', days: [-1] },
    { kind: 'unit', unit: 'quarter' },
  ]),
  map(
    sequence(the, word('start beginning'), word('of'), longest<unknown>(each, word('the a')), word('quarter')),
    () => [
      { kind: 'month-days', days: [1] },
      { kind: 'unit', unit: 'quarter' },
    ],
  ),
)

const monthRange: Rule<number[]> = longest(
  map(monthNumber, (month) => [month]),
  map(sequence(monthNumber, word('to through thru - until till'), monthNumber), ([first, , last]) =>
    monthsBetween(first, last),
  ),
)
const months: Rule<Piece[]> = map(
  sequence(longest<unknown>(word('in of during from'), each, phrase('in every')), many(monthRange, joint)),
  ([, found]) => [{ kind: 'months', months: [...new Set(found.flat())] }],
)

export const englishPlaces: Rule<Piece[]>[] = [nthWeekdays, nthWorkdays, nthDays, monthEdge, months]
