import { digitsOf } from '../../digital-clock'
import type { Clock, Draft, Period } from '../../draft'
import { durationOf } from '../../duration'
import { at, namedHour } from '../../english/clock-shapes'
import { clocks } from '../../english/clocks'
import { dates as calendarDates } from '../../english/dates'
import { duration, unit } from '../../english/durations'
import { ordinal, whole } from '../../english/numbers'
import { weekdayName } from '../../english/weekdays'
import { either, longest, many, map, meaning, notBefore, optional, phrase, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import { intervalOf } from './intervals'
import type { Piece } from './piece'
import { EVERY_DAY, SOME_DAYS, UNSUPPORTED, weekdaysBetween } from './piece'

const each = sequence(word('every each'), optional(word('single')))
const maybeEach = optional(each)
const the = optional(word('the'))
const joint = longest(word(', and & /'), phrase(', and'))

const name = weekdayName({ plural: true })
const weekdayRange: Rule<number[]> = longest(
  map(name, (day) => [day]),
  map(sequence(name, word('to through thru - until till'), name), ([first, , last]) => weekdaysBetween(first, last)),
)
const weekdays: Rule<number[]> = longest(
  map(sequence(maybeEach, optional(phrase('from')), many(weekdayRange, sequence(joint, maybeEach))), ([, , found]) =>
    found.flat(),
  ),
  map(word('mwf'), () => [1, 3, 5]),
)
const workdays: Rule<number[]> = map(
  sequence(
    maybeEach,
    either<unknown>(
      word('weekday weekdays workday workdays'),
      sequence(word('business working work'), word('day days')),
    ),
  ),
  () => [1, 2, 3, 4, 5],
)
const weekend: Rule<number[]> = map(sequence(maybeEach, the, word('weekend weekends')), () => [6, 7])
const someDays = longest(weekdays, workdays, weekend)
const except: Rule<Piece[]> = map(
  sequence(
    longest<unknown>(word('except excluding but'), phrase('except for'), phrase('apart from'), phrase('other than')),
    optional(word('on')),
    someDays,
  ),
  ([, , found]) => [{ kind: 'except', weekdays: found }],
)

const PERIODS = new Map<string, Period>([
  ['dawn', 'dawn'],
  ['morning', 'morning'],
  ['afternoon', 'afternoon'],
  ['evening', 'evening'],
  ['night', 'night'],
])
const timesCount: Rule<number> = longest(
  map(word('twice'), () => 2),
  map(sequence(whole, word('times')), ([count]) => count),
)
const clockOrHour: Rule<Clock> = longest(
  map(longest(...clocks), ({ clock, ...rest }) => (Object.keys(rest).length === 0 ? clock : undefined)),
  map(whole, (hour) => (hour <= 24 ? at(hour) : undefined)),
)
const days: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, word('day')), () => [EVERY_DAY]),
  map(word('daily everyday'), () => [EVERY_DAY]),
  map(sequence(word('once'), word('a per'), word('day')), () => [EVERY_DAY]),
  map(sequence(each, meaning(PERIODS)), ([, period]) => [SOME_DAYS, { kind: 'time', period }]),
  map(word('nightly'), () => [SOME_DAYS, { kind: 'time', period: 'night' }]),
  map(sequence(each, namedHour), ([, clock]) => [EVERY_DAY, { kind: 'time', clock }]),
  map(someDays, (found) => [{ kind: 'weekdays', weekdays: found }]),
  map(
    sequence(timesCount, longest<unknown>(sequence(word('a per each every'), word('day')), word('daily'))),
    ([count]) => [{ kind: 'times-a-day', count }],
  ),
)
/** "at 8, 14 and 20:00": in a list that begins with "at" a bare number is a clock too. */
const clockList: Rule<Piece[]> = map(sequence(word('at @'), many(clockOrHour, joint)), ([, found]) =>
  found.flatMap((clock, index): Piece[] => [
    ...(index === 0 ? [] : [{ kind: 'and', isComma: true } as const]),
    { kind: 'time', clock },
  ]),
)

const once = longest<unknown>(each, sequence(word('once'), word('a per each every')))
const units: Rule<Piece[]> = longest<Piece[]>(
  map(longest<unknown>(sequence(once, word('week')), word('weekly')), () => [{ kind: 'unit', unit: 'week' }]),
  map(longest<unknown>(sequence(longest<unknown>(once, word('the')), word('month')), word('monthly')), () => [
    { kind: 'unit', unit: 'month' },
  ]),
  map(longest<unknown>(sequence(once, word('year')), word('yearly annually')), () => [{ kind: 'unit', unit: 'year' }]),
)

/** A day with or without its month; whatever else a date can say has no place in something that repeats. */
const dayOfDraft = ({
  month,
  day,
  monthIsShort: _short,
  ...rest
}: Draft): { month?: number; day: number } | undefined =>
  typeof day === 'number' && Object.keys(rest).length === 0 ? { month, day } : undefined
const someDay = map(longest(...calendarDates), dayOfDraft)
const dates: Rule<Piece[]> = map(sequence(maybeEach, many(someDay, joint)), ([every, found]) => {
  const named = found.flatMap(({ month, day }) => (month === undefined ? [] : [{ month, day }]))
  const unit: Piece[] = every ? [{ kind: 'unit', unit: named.length > 0 ? 'year' : 'month' }] : []
  if (named.length === found.length) return [...unit, { kind: 'dates', dates: named }]
  return named.length === 0 ? [...unit, { kind: 'month-days', days: found.map(({ day }) => day) }] : undefined
})

const nthWeekdays: Rule<Piece[]> = map(
  sequence(maybeEach, the, many(ordinal, sequence(joint, the)), name),
  ([, , nths, weekday]) => [{ kind: 'nth-weekdays', nths, weekday }],
)

/** Understood, and no five fields can say it: the last day, the n-th or every other weekday, the quarter. */
const inexact: Rule<Piece[]> = map(
  longest<unknown>(
    sequence(the, word('last'), either<unknown>(word('day weekday workday'), phrase('business day'), name)),
    sequence(maybeEach, the, ordinal, word('weekday workday')),
    sequence(each, word('other alternate'), either<unknown>(name, word('weekday weekend month year'))),
    sequence(each, word('quarter')),
    word('quarterly biweekly bimonthly fortnights'),
  ),
  () => [UNSUPPORTED],
)

const everyHour = either<unknown>(sequence(each, word('hour')), word('hourly'))
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
const intervals: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(optional(word('once')), each, word('hour')), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(word('once'), word('an a per'), word('hour')), () => [{ kind: 'interval', seconds: 3600 }]),
  map(word('hourly'), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(each, phrase('hour and a half')), () => [{ kind: 'interval', seconds: 5400 }]),
  map(sequence(each, word('minute')), () => [{ kind: 'interval', seconds: 60 }]),
  map(sequence(each, word('second')), () => [{ kind: 'interval', seconds: 1 }]),
  map(either<unknown>(sequence(each, word('fortnight')), word('fortnightly')), () => [
    { kind: 'interval', seconds: 14 * 86_400 },
  ]),
  map(sequence(optional(word('once')), each, notBefore(word('few a an the mon')), duration), ([, , , found]) =>
    intervalOf(found),
  ),
  map(sequence(each, word('other'), unit), ([, , found]) => intervalOf(durationOf(2, found))),
  map(sequence(each, ordinal, word('day week hour minute')), ([, count, found]) =>
    intervalOf(durationOf(count, UNIT_OF[found] ?? UNIT_OF.day)),
  ),
  map(sequence(everyHour, phrase('on the hour')), () => [{ kind: 'minutes', minutes: [0] }]),
  map(sequence(everyHour, phrase('on the half hour')), () => [{ kind: 'minutes', minutes: [30] }]),
  map(sequence(everyHour, word('at'), pastTheHour), ([, , minute]) => [{ kind: 'minutes', minutes: [minute] }]),
  map(sequence(everyHour, word('at'), word(':'), digitsOf(2, 2)), ([, , , minute]) => [
    { kind: 'minutes', minutes: [Number(minute)] },
  ]),
  map(sequence(optional(word('at')), pastTheHour, each, word('hour')), ([, minute]) => [
    { kind: 'minutes', minutes: [minute] },
  ]),
)

const UNIT_OF: Record<string, Parameters<typeof durationOf>[1]> & { day: Parameters<typeof durationOf>[1] } = {
  day: { part: 'days', size: 1 },
  week: { part: 'days', size: 7 },
  hour: { part: 'seconds', size: 3600 },
  minute: { part: 'seconds', size: 60 },
}

export const englishPieces: Rule<Piece[]>[] = [
  ...[days, except, units, intervals, nthWeekdays],
  ...[inexact, dates, clockList],
]
export const englishAnd = longest(word('and &'), phrase(', and'))
export const englishFillers = longest(word('the on at of in sharp exactly please'), phrase('local time'))
