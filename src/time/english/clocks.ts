import type { Clock, Draft, Period } from '../draft'
import { digitalClock, digitsOf } from '../digital-clock'
import { longest, map, meaning, notBefore, optional, phrase, sequence, token, word } from '../grammar'
import type { Rule } from '../grammar'
import { clockOffset } from '../zone-rules'
import { spelledSmall, whole, written } from './numbers'

const at = (hour: number, minute = 0): Clock => ({
  hour,
  minute,
  second: 0,
  ...(hour === 0 || hour > 12 ? { exact: true } : {}),
})

const dot = optional(word('.'))
const letter = (letters: string): Rule<unknown> =>
  longest<unknown>(
    sequence(word(letters), dot, word('m'), dot),
    sequence(word(`${letters}m`), dot),
    sequence(word(letters), dot),
  )
const half: Rule<'am' | 'pm'> = longest(
  map(letter('a'), () => 'am' as const),
  map(letter('p'), () => 'pm' as const),
)
const oclock = longest(word("o'clock oclock"), phrase('o clock'), phrase("o ' clock"))
const ish = sequence(optional(word('-')), word('ish'))

const oh: Rule<number> = map(sequence(word('oh ou o zero'), spelledSmall), ([, minute]) =>
  minute < 10 ? minute : undefined,
)
/** ten thirty, twelve oh three: minutes under ten need their "oh", or "two three" would be a time. */
const spelledPair: Rule<Clock> = map(
  sequence(
    spelledSmall,
    optional(word('-')),
    longest(
      oh,
      map(spelledSmall, (minute) => (minute > 9 ? minute : undefined)),
    ),
  ),
  ([hour, , minute]) => (hour <= 24 && minute < 60 ? at(hour, minute) : undefined),
)
const hourMinute: Rule<Clock> = map(
  sequence(written, word('h'), digitsOf(2, 2), notBefore(word('m min mins minutes'))),
  ([hour, , minute]) => at(hour, Number(minute)),
)
/** 830, 1030. */
const runTogether: Rule<Clock> = map(digitsOf(3, 4), (digits) => {
  const clock = at(Number(digits.slice(0, -2)), Number(digits.slice(-2)))
  return digits.startsWith('0') ? { ...clock, exact: true } : clock
})
const pointed: Rule<Clock> = map(
  sequence(
    digitsOf(1, 2),
    word('.'),
    token((here) => (!here.spaced && here.digits.length === 2 ? here.digits : undefined)),
  ),
  ([hour, , minute]) => at(Number(hour), Number(minute)),
)
const spacedPair: Rule<Clock> = map(sequence(digitsOf(1, 2), digitsOf(2, 2)), ([hour, minute]) =>
  at(Number(hour), Number(minute)),
)
const namedHour: Rule<Clock> = longest(
  map(
    sequence(
      optional(sequence(word('12 twelve'), optional(oclock))),
      longest(
        word('noon midday noonish lunchtime lunch'),
        phrase('mid day'),
        phrase('mid - day'),
        phrase('lunch time'),
      ),
    ),
    () => ({ ...at(12), exact: true }),
  ),
  map(
    sequence(
      optional(sequence(word('12 twelve'), optional(oclock))),
      optional(word('the')),
      longest(word('midnight'), phrase('mid night'), phrase('mid - night')),
    ),
    () => ({ ...at(0), exact: true }),
  ),
)

/** What is a clock by its own shape. */
const clear: Rule<Clock> = longest(digitalClock, hourMinute, namedHour, spelledPair)
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
  map(sequence(whole, minutesWord), ([minutes]) => (minutes < 60 ? minutes : undefined)),
)
const direction: Rule<number> = longest(
  map(word('past after'), () => 1),
  map(word('to till before til of'), () => -1),
)
/** half past eight, a quarter to noon, three minutes to five thirty. */
const aroundHour: Rule<Clock> = longest(
  map(sequence(someMinutes, direction, hourOnly, optional(oclock)), ([minutes, sign, clock]) => ({
    ...clock,
    shiftMinutes: sign * minutes,
  })),
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
      runTogether,
      map(pointed, (clock) => (clock.hour < 24 && clock.minute < 60 ? clock : undefined)),
    ),
  ),
  ([, , clock]) => clock,
)

const clock: Rule<Draft> = map(
  sequence(longest(clear, marked, aroundHour, introduced), optional(oclock), optional(ish), optional(clockOffset)),
  ([found, , , zone]) => ({ clock: found, ...(zone ? { zone } : {}) }),
)

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
const period: Rule<Draft> = longest<Draft>(
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

export const clocks: Rule<Draft>[] = [clock, period]
