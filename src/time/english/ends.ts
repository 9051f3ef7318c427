import type { Draft } from '../draft'
import { longest, map, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'

const the = optional(word('the'))
const last: Draft = { day: 'last', endOfDay: true }

const endOf = sequence(optional(word('by')), the, longest(word('end'), phrase('the end')), optional(word('of')), the)
const startOf = sequence(the, word('beginning start'), optional(word('of')), the)

/** End of the day, the week, the month, the year, and of whatever day is named after it. */
export const ends: Rule<Draft>[] = [
  map(sequence(endOf, word('day')), () => ({ endOfDay: true as const })),
  map(sequence(the, word('eod cob eob')), () => ({ endOfDay: true as const })),
  map(sequence(the, phrase('close of business')), () => ({ endOfDay: true as const })),
  map(endOf, () => ({ endOfDay: true as const })),
  map(sequence(endOf, optional(word('this')), word('week')), () => ({
    endOfDay: true as const,
    weekday: 5,
    weekOffset: 0,
  })),
  map(sequence(endOf, word('next'), word('week')), () => ({ endOfDay: true as const, weekday: 5, weekOffset: 1 })),
  map(sequence(the, word('eow')), () => ({ endOfDay: true as const, weekday: 5, weekOffset: 0 })),
  map(sequence(endOf, optional(word('this')), word('month')), () => ({ ...last, monthOffset: 0 })),
  map(sequence(the, word('month'), optional(word('-')), word('end')), () => ({ ...last, monthOffset: 0 })),
  map(sequence(endOf, word('next'), word('month')), () => ({ ...last, monthOffset: 1 })),
  map(sequence(the, word('eom')), () => ({ ...last, monthOffset: 0 })),
  map(sequence(endOf, optional(word('this')), word('year')), () => ({ endOfDay: true as const, month: 12, day: 31 })),
  map(sequence(the, word('eoy')), () => ({ endOfDay: true as const, month: 12, day: 31 })),
  map(sequence(startOf, word('next'), word('month')), () => ({ monthOffset: 1, day: 1 })),
  map(sequence(startOf, word('next'), word('week')), () => ({ weekOffset: 1, weekday: 1 })),
  map(sequence(startOf, word('next'), word('year')), () => ({ yearOffset: 1, month: 1, day: 1 })),
  map(sequence(the, word('last'), word('day')), () => ({ day: 'last' as const })),
]
