import type { Draft, Period } from '../draft'
import { longest, map, meaning, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'

const PERIODS = new Map<string, Period>([
  ['dawn', 'dawn'],
  ['sunrise', 'dawn'],
  ['morning', 'morning'],
  ['mornings', 'morning'],
  ['afternoon', 'afternoon'],
  ['evening', 'evening'],
  ['night', 'night'],
  ['nighttime', 'night'],
  ['dusk', 'dusk'],
])
const periodName: Rule<Period> = longest<Period>(
  meaning(PERIODS),
  map(sequence(word('early late mid'), optional(word('-')), meaning(PERIODS)), ([, , period]) => period),
)
export const period: Rule<Draft> = longest<Draft>(
  map(phrase('first thing'), () => ({ period: 'morning' as const })),
  map(sequence(optional(sequence(word('in at during'), optional(word('the')))), periodName), ([, found]) => ({
    period: found,
  })),
  map(sequence(word('this'), periodName), ([, found]) => ({ dayOffset: 0, period: found })),
  map(sequence(optional(word('late early later')), word('tonight tonite')), () => ({
    dayOffset: 0,
    period: 'evening' as const,
  })),
  map(sequence(word('last'), word('night')), () => ({ dayOffset: -1, period: 'night' as const })),
  map(sequence(word('at in'), word('the'), periodName), ([, , found]) => ({ period: found })),
)
