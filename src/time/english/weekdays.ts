import type { Draft } from '../draft'
import { longest, map, meaning, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { ordinal } from './numbers'

const NAMES = [
  'monday mon',
  'tuesday tue tues',
  'wednesday wed weds wednes',
  'thursday thu thur thurs',
  'friday fri',
  'saturday sat',
  'sunday sun',
].map((names) => names.split(' '))

const SINGULAR = new Map(NAMES.flatMap((names, index) => names.map((name): [string, number] => [name, index + 1])))
const PLURAL = new Map([...SINGULAR, ...NAMES.map(([name], index): [string, number] => [`${name}s`, index + 1])])

/** "mondays" is every Monday unless a number counts them. */
export function weekdayName({ plural }: { plural: boolean }): Rule<number> {
  return map(sequence(meaning(plural ? PLURAL : SINGULAR), optional(word('.'))), ([weekday]) => weekday)
}

const name = weekdayName({ plural: false })
const the = optional(word('the'))
const coming = longest(
  phrase('this'),
  phrase('coming'),
  phrase('upcoming'),
  phrase('this coming'),
  phrase('this upcoming'),
  phrase('the coming'),
  phrase('the upcoming'),
)

const weekOffset: Rule<number> = longest(
  map(sequence(word('this'), word('week')), () => 0),
  map(sequence(the, word('next following coming'), word('week')), () => 1),
  map(sequence(word('the'), word('week'), word('after'), word('next')), () => 2),
  map(sequence(word('week'), word('after'), word('next')), () => 2),
  map(sequence(word('last past previous'), word('week')), () => -1),
)
const possessive = optional(word("'s"))

const week: Rule<Draft> = map(sequence(weekOffset, possessive), ([offset]) => ({ weekOffset: offset }))

const weekend: Rule<Draft> = longest<Draft>(
  map(sequence(optional(word('this the')), word('weekend')), () => ({ weekday: 6, weekdayChoice: 'coming' as const })),
  map(sequence(word('next following'), word('weekend')), () => ({ weekday: 6, weekOffset: 1 })),
)

const nth: Rule<Draft> = longest<Draft>(
  map(sequence(the, ordinal, name), ([, count, weekday]) => ({ nth: count, weekday })),
  map(sequence(the, word('last'), name, word('of in')), ([, , weekday]) => ({ nth: -1, weekday })),
  map(sequence(the, ordinal, word('week')), ([, count]) => ({ nth: count, weekOfMonth: true as const })),
)

const single: Rule<Draft> = longest<Draft>(
  map(name, (weekday) => ({ weekday })),
  map(sequence(word('the'), name), ([, weekday]) => ({ weekday })),
  map(sequence(coming, name), ([, weekday]) => ({ weekday, weekdayChoice: 'coming' as const })),
  map(sequence(the, word('next following'), name), ([, , weekday]) => ({ weekday, weekdayChoice: 'next' as const })),
  map(sequence(name, phrase('after next')), ([weekday]) => ({ weekday, weekdayChoice: { count: 2 } })),
  map(sequence(word('last past previous'), name), ([, weekday]) => ({ weekday, weekdayChoice: 'last' as const })),
)

export const weekdays: Rule<Draft>[] = [single, week, weekend, nth]
