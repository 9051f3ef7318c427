import type { Draft } from '../draft'
import { before, longest, map, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { clocks } from './clocks'
import { dates } from './dates'
import { durations } from './durations'
import { ends } from './ends'
import { holiday } from './holidays'
import { period } from './periods'
import { weekdays } from './weekdays'

const now: Rule<Draft> = map(
  longest<unknown>(
    sequence(optional(word('right just')), word('now')),
    word('immediately asap'),
    phrase('right away'),
    phrase('at once'),
    phrase('straight away'),
    phrase('at the moment'),
  ),
  () => ({ now: true as const }),
)

const sameTime: Rule<Draft> = map(
  sequence(optional(word('at')), optional(word('the')), word('this same'), word('time')),
  () => ({ sameTime: true as const }),
)

/** Words that add nothing to the meaning, wherever they stand. */
export const englishFillers = longest(
  word('the on at of for by about around approximately approx roughly exactly sharp please precisely local'),
  word('until till circa @ ~'),
  phrase('up to'),
  phrase('no later than'),
  phrase('on the dot'),
  phrase('local time'),
  phrase('or so'),
  map(sequence(word('early'), before(word('tomorrow tmr tmrw this in'))), () => 'early'),
  map(sequence(word('in'), before(word('next this'))), () => 'in'),
)

export const englishRules: Rule<Draft>[] = [
  ...weekdays,
  ...dates,
  ...ends,
  holiday,
  ...clocks,
  period,
  ...durations,
  now,
  sameTime,
]
