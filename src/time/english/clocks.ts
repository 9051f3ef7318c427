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
import { spelled, whole, written } from './numbers'

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

const minutesWord = word('minute minutes min mins')
const someMinutes: Rule<number> = longest(
  map(sequence(optional(word('a')), word('quarter')), () => 15),
  map(word('half'), () => 30),
  map(sequence(word('three'), optional(word('-')), word('quarters')), () => 45),
  map(sequence(whole, minutesWord), ([minutes]) => (minutes < 60 ? minutes : undefined)),
)
/** Without the word "minutes" only these count down to an hour: "9 to 5", "nine to five" and "10 to 6" are spans. */
const minutesBefore: Rule<number> = longest(
  someMinutes,
  map(spelled, (minutes) => (minutes % 5 === 0 && minutes < 30 ? minutes : undefined)),
  map(written, (minutes) => ([15, 20, 25].includes(minutes) ? minutes : undefined)),
)
const minutesAfter: Rule<number> = longest(
  someMinutes,
  map(whole, (minutes) => (minutes < 60 ? minutes : undefined)),
)
const dash = optional(word('-'))
const shiftMinutes: Rule<number> = longest(
  map(sequence(minutesAfter, dash, word('past after')), ([minutes]) => minutes),
  map(sequence(minutesBefore, dash, word('to till before til of')), ([minutes]) => -minutes),
)
const around = (shift: Rule<number>): Rule<Clock> =>
  map(sequence(shift, hourOnly, optional(oclock)), ([minutes, clock]) => ({ ...clock, shiftMinutes: minutes }))
/** half past eight, a quarter to noon, three minutes to five thirty. */
const aroundHour: Rule<Clock> = longest(
  around(shiftMinutes),
  map(
    sequence(
      word('half'),
      map(whole, (hour) => (hour <= 12 ? hour : undefined)),
    ),
    ([, hour]) => at(hour, 30),
  ),
)

const before = word('at @ around about by till until approximately approx roughly')
/** "at 10 to 6" is a clock, since a span would have no "at". */
const fewMinutesBefore: Rule<number> = map(sequence(written, word('to')), ([minutes]) =>
  minutes === 5 || minutes === 10 ? -minutes : undefined,
)
/** "at 5", "around 1030": the word before makes the number an hour. */
const introduced: Rule<Clock> = map(
  sequence(
    before,
    optional(word('about around approximately exactly')),
    longest(
      aroundHour,
      around(fewMinutesBefore),
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
