import { digitalClock } from '../digital-clock'
import type { Clock, Draft } from '../draft'
import { longest, map, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { clockOffset } from '../zone-rules'
import {
  at,
  half,
  hourMinute,
  ish,
  military,
  militaryHours,
  namedHour,
  oclock,
  pointed,
  runTogether,
  spacedPair,
  spelledPair,
} from './clock-shapes'
import { whole, written } from './numbers'

/** T12:34, the clock of ISO alone. */
const isoClock: Rule<Clock> = map(sequence(word('t'), digitalClock), ([, found]) => ({ ...found, exact: true }))

/** What is a clock by its own shape. */
const clear: Rule<Clock> = longest(isoClock, digitalClock, hourMinute, namedHour, spelledPair, military)
/** What is a clock only with am, pm, o'clock or -ish after it. */
const marked: Rule<Clock> = longest(
  map(
    sequence(
      longest(
        digitalClock,
        pointed,
        hourMinute,
        spelledPair,
        runTogether,
        spacedPair,
        map(whole, (hour) => at(hour)),
      ),
      optional(oclock),
      optional(ish),
      half,
    ),
    ([clock, , , found]) => ({
      ...clock,
      half: found,
      ...(clock.exact && clock.hour === 0 ? { half: undefined } : {}),
    }),
  ),
  map(sequence(whole, oclock), ([hour]) => at(hour)),
  map(
    sequence(
      longest(
        runTogether,
        map(whole, (hour) => at(hour)),
      ),
      ish,
    ),
    ([clock]) => clock,
  ),
)
const hourOnly: Rule<Clock> = longest(
  clear,
  marked,
  map(whole, (hour) => (hour <= 24 ? at(hour) : undefined)),
  map(sequence(written, word('h')), ([hour]) => ({ ...at(hour), exact: true })),
)

const minutesWord = optional(word('minute minutes min mins'))
const someMinutes: Rule<number> = longest(
  map(sequence(optional(word('a')), word('quarter')), () => 15),
  map(word('half'), () => 30),
  map(sequence(word('three'), optional(word('-')), word('quarters')), () => 45),
  map(sequence(whole, minutesWord), ([minutes]) => (minutes < 60 ? minutes : undefined)),
)
const direction: Rule<number> = longest(
  map(word('past after'), () => 1),
  map(word('to till before til of'), () => -1),
)
/** half past eight, a quarter to noon, three minutes to five thirty. */
const aroundHour: Rule<Clock> = longest(
  map(
    sequence(someMinutes, optional(word('-')), direction, hourOnly, optional(oclock)),
    ([minutes, , sign, clock]) => ({
      ...clock,
      shiftMinutes: sign * minutes,
    }),
  ),
  map(
    sequence(
      word('half'),
      map(whole, (hour) => (hour <= 12 ? hour : undefined)),
    ),
    ([, hour]) => at(hour, 30),
  ),
)

const before = word('at @ around about by till until approximately approx roughly')
/** "at 5", "around 1030": the word before makes the number an hour. */
const introduced: Rule<Clock> = map(
  sequence(
    before,
    optional(word('about around approximately exactly')),
    longest(
      aroundHour,
      hourOnly,
      map(sequence(runTogether, militaryHours), ([clock]) => clock),

      map(pointed, (clock) => (clock.hour < 24 && clock.minute < 60 ? clock : undefined)),
    ),
  ),
  ([, , clock]) => clock,
)

const clock: Rule<Draft> = map(
  sequence(longest(clear, marked, aroundHour, introduced), optional(oclock), optional(ish), optional(clockOffset)),
  ([found, , , zone]) => ({ clock: found, ...(zone ? { zone } : {}) }),
)

export const clocks: Rule<Draft>[] = [clock]
