import type { Draft, Period } from '../../time/draft'
import { durationOf } from '../../time/duration'
import { namedHour } from '../../time/english/clock-shapes'
import { dates as calendarDates } from '../../time/english/dates'
import { duration, unit } from '../../time/english/durations'
import { ordinal } from '../../time/english/numbers'
import { weekdayName } from '../../time/english/weekdays'
import { either, longest, many, map, meaning, notBefore, optional, phrase, sequence, word } from '../../time/grammar'
import type { Rule } from '../../time/grammar'
import { intervalOf } from './intervals'
import type { Piece } from './piece'
import { EVERY_DAY, SOME_DAYS, UNSUPPORTED, weekdaysBetween, WEEKEND, WORKDAYS } from './piece'

const each = sequence(word('every each'), optional(word('single')))
const maybeEach = optional(each)
const the = optional(word('the'))
const joint = longest(word(', and & /'), phrase(', and'))

const name = weekdayName({ plural: true })
const weekdayRange: Rule<number[]> = longest(
  map(name, (day) => [day]),
  map(sequence(name, word('to through thru - until till'), name), ([first, , last]) => weekdaysBetween(first, last)),
)
const weekdays: Rule<Piece[]> = map(
  sequence(maybeEach, optional(phrase('from')), many(weekdayRange, sequence(joint, maybeEach))),
  ([, , found]) => [{ kind: 'weekdays', weekdays: found.flat() }],
)

const PERIODS = new Map<string, Period>([
  ['dawn', 'dawn'],
  ['morning', 'morning'],
  ['afternoon', 'afternoon'],
  ['evening', 'evening'],
  ['night', 'night'],
])
const days: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, word('day')), () => [EVERY_DAY]),
  map(word('daily everyday'), () => [EVERY_DAY]),
  map(sequence(word('once'), word('a per'), word('day')), () => [EVERY_DAY]),
  map(sequence(each, meaning(PERIODS)), ([, period]) => [SOME_DAYS, { kind: 'time', period }]),
  map(word('nightly'), () => [SOME_DAYS, { kind: 'time', period: 'night' }]),
  map(sequence(each, namedHour), ([, clock]) => [EVERY_DAY, { kind: 'time', clock }]),
  map(sequence(maybeEach, word('weekday weekdays workday workdays')), () => [WORKDAYS]),
  map(sequence(maybeEach, word('business working work'), word('day days')), () => [WORKDAYS]),
  map(sequence(maybeEach, word('weekend weekends')), () => [WEEKEND]),
  weekdays,
)

const units: Rule<Piece[]> = longest<Piece[]>(
  map(either<unknown>(sequence(each, word('week')), word('weekly')), () => [{ kind: 'unit', unit: 'week' }]),
  map(either<unknown>(sequence(either<unknown>(each, word('the')), word('month')), word('monthly')), () => [
    { kind: 'unit', unit: 'month' },
  ]),
  map(either<unknown>(sequence(each, word('year')), word('yearly annually')), () => [{ kind: 'unit', unit: 'year' }]),
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

/** Understood, and no five fields can say it: the last day, the n-th or every other weekday, the quarter. */
const inexact: Rule<Piece[]> = map(
  longest<unknown>(
    sequence(the, word('last'), either<unknown>(word('day weekday workday'), phrase('business day'), name)),
    sequence(maybeEach, the, ordinal, either<unknown>(name, word('weekday workday'))),
    sequence(each, word('other alternate'), either<unknown>(name, word('weekday weekend month year'))),
    sequence(each, word('quarter')),
    word('quarterly biweekly bimonthly fortnights'),
  ),
  () => [UNSUPPORTED],
)

const intervals: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(optional(word('once')), each, word('hour')), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(word('once'), word('an a per'), word('hour')), () => [{ kind: 'interval', seconds: 3600 }]),
  map(word('hourly'), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(each, phrase('hour and a half')), () => [{ kind: 'interval', seconds: 5400 }]),
  map(sequence(each, word('minute')), () => [{ kind: 'interval', seconds: 60 }]),
  map(sequence(each, word('second')), () => [{ kind: 'interval', seconds: 1 }]),
  map(sequence(each, word('fortnight')), () => [{ kind: 'interval', seconds: 14 * 86_400 }]),
  map(sequence(optional(word('once')), each, notBefore(word('few a an the mon')), duration), ([, , , found]) =>
    intervalOf(found),
  ),
  map(sequence(each, word('other'), unit), ([, , found]) => intervalOf(durationOf(2, found))),
  map(sequence(each, ordinal, word('day week hour minute')), ([, count, found]) =>
    intervalOf(durationOf(count, UNIT_OF[found] ?? UNIT_OF.day)),
  ),
  map(sequence(either<unknown>(sequence(each, word('hour')), word('hourly')), phrase('on the hour')), () => [
    { kind: 'minutes', minutes: [0] },
  ]),
)

const UNIT_OF: Record<string, Parameters<typeof durationOf>[1]> & { day: Parameters<typeof durationOf>[1] } = {
  day: { part: 'days', size: 1 },
  week: { part: 'days', size: 7 },
  hour: { part: 'seconds', size: 3600 },
  minute: { part: 'seconds', size: 60 },
}

export const englishPieces: Rule<Piece[]>[] = [days, units, intervals, inexact, dates]
export const englishAnd = longest(word('and &'), phrase(', and'))
export const englishFillers = longest(word('the on at of in sharp exactly please'), phrase('local time'))
