import type { Draft } from '../draft'
import type { Duration, Piece, Unit } from '../duration'
import { addDurations, durationOf, negate, totalOf, UNITS } from '../duration'
import { longest, many, map, meaning, notBefore, optional, phrase, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { amount, written } from './numbers'
import { weekdayName } from './weekdays'

const UNIT_WORDS = new Map<string, Unit>(
  (
    [
      ['s sec secs second seconds "', UNITS.second],
      ["m min mins minute minutes minute's '", UNITS.minute],
      ["h hr hrs hour hours hour's", UNITS.hour],
      ['d day days', UNITS.day],
      ['w wk wks week weeks', UNITS.week],
      ['fortnight fortnights', UNITS.fortnight],
      ['mo mon mos month months mth mths', UNITS.month],
      ['y yr yrs year years', UNITS.year],
    ] as const
  ).flatMap(([words, unit]) => words.split(' ').map((name): [string, Unit] => [name, unit])),
)

const businessDays: Rule<Unit> = map(
  longest<unknown>(sequence(word('business working work'), word('day days')), word('weekday weekdays')),
  () => UNITS.businessDay,
)
export const unit: Rule<Unit> = longest(
  map(sequence(meaning(UNIT_WORDS), optional(word('.'))), ([found]) => found),
  businessDays,
)

const halfMore = sequence(word('and'), optional(word('a an')), word('half'))
const piece: Rule<Piece> = map(
  sequence(amount, optional(word('- more extra additional full whole')), unit, optional(halfMore)),
  ([count, , found, half]) => ({ amount: count + (half ? 0.5 : 0), unit: found }),
)
const joint = longest(word(', and &'), phrase(', and'))

export const duration: Rule<Duration> = map(many(piece, joint), totalOf)

const about = optional(many(word('about around approximately approx roughly just exactly only another ~ another')))
const shiftBy = (shift: Duration): Draft => ({ shift, shiftFrom: 'now' })
const fromNow = longest(
  phrase('from now'),
  phrase('from this moment'),
  phrase('later'),
  phrase('hence'),
  phrase('ahead'),
  phrase('from right now'),
)
const ahead = sequence(optional(word('the')), word('next upcoming coming following'))

/** "2h" alone may be an hour of the clock as well ("Thursday 8h"); what stands beside it decides. */
const hourMark: Rule<Draft> = map(sequence(written, word('h'), notBefore(written)), ([hour]) => ({ hourMark: hour }))

const weekdaysAhead: Rule<Draft> = map(
  sequence(amount, weekdayName({ plural: true }), fromNow),
  ([count, weekday]) => ({ weekday, weekdayChoice: { count } }),
)

export const durations: Rule<Draft>[] = [
  hourMark,
  weekdaysAhead,
  map(
    sequence(
      word('in within after'),
      about,
      optional(ahead),
      duration,
      optional(sequence(optional(word("'")), word('time'))),
    ),
    ([, , , found]) => shiftBy(found),
  ),
  map(sequence(about, duration, fromNow), ([, found]) => shiftBy(found)),
  map(sequence(about, duration), ([, found]) => shiftBy(found)),
  map(sequence(duration, phrase('from today')), ([found]) => shiftBy(found)),
  map(sequence(word('+'), duration), ([, found]) => shiftBy(found)),
  map(sequence(ahead, duration), ([, found]) => shiftBy(found)),
  map(sequence(optional(word('in within')), ahead, word('hour')), () => shiftBy(durationOf(1, UNITS.hour))),
  map(sequence(amount, word('upcoming more'), unit), ([count, , found]) => shiftBy(durationOf(count, found))),
  map(sequence(about, duration, word('ago earlier back')), ([, found]) => shiftBy(negate(found))),
  map(sequence(word('-'), duration), ([, found]) => shiftBy(negate(found))),
  map(sequence(word('last past previous'), duration), ([, found]) => shiftBy(negate(found))),
  map(sequence(about, duration, word('from after past')), ([, found]) => ({
    shift: found,
    shiftFrom: 'date' as const,
  })),
  map(sequence(duration, longest(phrase('before'), phrase('prior to'), phrase('ahead of'))), ([found]) => ({
    shift: negate(found),
    shiftFrom: 'date' as const,
  })),
  map(sequence(duration, word('and'), duration, word('from after')), ([left, , right]) => ({
    shift: addDurations(left, right),
    shiftFrom: 'date' as const,
  })),
]
