import { digitsOf } from '../../digital-clock'
import { ordinal, whole, written } from '../../english/numbers'
import { either, longest, many, map, optional, phrase, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'

const each = sequence(word('every each'), optional(word('single')))
const joint = longest(word(', and & /'), phrase(', and'))

export const everyHour = either<unknown>(sequence(each, word('hour')), word('hourly'))
/** "15 minutes past", "quarter past the hour". */
const pastTheHour: Rule<number> = map(
  sequence(
    longest(
      map(sequence(optional(word('a')), word('quarter')), () => 15),
      map(word('half'), () => 30),
      map(sequence(whole, optional(word('minute minutes min mins'))), ([minute]) => minute),
    ),
    word('past after'),
    optional(phrase('the hour')),
  ),
  ([minute]) => minute,
)
const colonMinute: Rule<number> = map(sequence(word(':'), digitsOf(2, 2)), ([, minute]) => Number(minute))
/** "at 15 past", "on the half hour", "at :15 and :45", "at minute 20". */
export const atMinutes: Rule<number[]> = longest<number[]>(
  map(phrase('on the hour'), () => [0]),
  map(
    longest<unknown>(
      phrase('on the half hour'),
      phrase('on the half - hour'),
      phrase('at the half hour'),
      phrase('on the half'),
    ),
    () => [30],
  ),
  map(sequence(optional(word('at')), many(pastTheHour, joint)), ([, minutes]) => minutes),
  map(
    sequence(
      word('at'),
      many(written, joint),
      optional(word('minute minutes min mins')),
      word('past after'),
      optional(phrase('the hour')),
    ),
    ([, minutes]) => minutes,
  ),
  map(sequence(word('at'), many(colonMinute, joint)), ([, minutes]) => minutes),
  map(
    sequence(optional(word('at on')), optional(word('the')), word('minute minutes'), many(written, joint)),
    ([, , , minutes]) => minutes,
  ),
  map(sequence(optional(word('at on')), optional(word('the')), ordinal, word('minute')), ([, , minute]) => [minute]),
)
