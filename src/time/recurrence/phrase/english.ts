import type { Clock, Draft, Period } from '../../draft'
import { durationOf } from '../../duration'
import { at, namedHour } from '../../english/clock-shapes'
import { clocks } from '../../english/clocks'
import { dates as calendarDates } from '../../english/dates'
import { duration, unit } from '../../english/durations'
import { ordinal, whole, written } from '../../english/numbers'
import { holiday } from '../../english/holidays'
import { weekdayName } from '../../english/weekdays'
import { either, longest, many, map, meaning, notBefore, optional, phrase, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import { atMinutes, everyHour } from './english-minutes'
import { englishPlaces, ofSomething } from './english-places'
import { FEASTS } from './feasts'
import { intervalOf, period } from './intervals'
import type { PeriodUnit, Piece } from './piece'
import { AMBIGUOUS, EVERY_DAY, SOME_DAYS, UNSUPPORTED, weekdaysBetween } from './piece'

const each = sequence(word('every each'), optional(word('single')))
const maybeEach = optional(longest<unknown>(each, word('all')))
const the = optional(word('the'))
const joint = longest(word(', and & /'), phrase(', and'))

const name = weekdayName({ plural: true })
const PLURAL_WEEKDAYS = new Map(
  'mondays tuesdays wednesdays thursdays fridays saturdays sundays'
    .split(' ')
    .map((day, index): [string, number] => [day, index + 1]),
)
const weekdayRange: Rule<number[]> = longest(
  map(name, (day) => [day]),
  map(sequence(name, word('to through thru - until till'), name), ([first, , last]) => weekdaysBetween(first, last)),
)
const weekdays: Rule<number[]> = longest(
  map(sequence(maybeEach, optional(phrase('from')), many(weekdayRange, sequence(joint, maybeEach))), ([, , found]) =>
    found.flat(),
  ),
  map(longest<unknown>(word('mwf'), phrase('m / w / f'), phrase('m w f'), phrase('m , w , f')), () => [1, 3, 5]),
  map(longest<unknown>(word('tth tuth tuthu'), phrase('t / th'), phrase('tu / th')), () => [2, 4]),
  map(phrase('m - f'), () => [1, 2, 3, 4, 5]),
)
/** Days under one "every other"; an "every" among them would begin anew. */
const oneList: Rule<number[]> = longest(
  map(many(weekdayRange, joint), (found) => found.flat()),
  map(word('weekend weekends'), () => [6, 7]),
)
const workdays: Rule<number[]> = map(
  sequence(
    maybeEach,
    either<unknown>(
      word('weekday weekdays workday workdays'),
      sequence(word('business working work week'), word('day days')),
    ),
  ),
  () => [1, 2, 3, 4, 5],
)
const weekend: Rule<number[]> = map(sequence(maybeEach, the, word('weekend weekends')), () => [6, 7])
const everyDayOfWeek: Rule<Piece[]> = map(
  longest<unknown>(
    sequence(each, word('day'), optional(sequence(word('of'), the, word('week year')))),
    word('daily everyday'),
    phrase('each and every day'),
    phrase('seven days a week'),
    phrase('7 days a week'),
    phrase('all days'),
    phrase('every day of the month'),
  ),
  () => [EVERY_DAY],
)
/** "weekdays and Saturdays" are six days. */
const someDays: Rule<number[]> = map(many(longest(weekdays, workdays, weekend), joint), (found) => [
  ...new Set(found.flat()),
])
const except: Rule<Piece[]> = map(
  sequence(
    longest<unknown>(
      word('except excluding but excepting without minus skipping skip not'),
      ...[
        'except for',
        'apart from',
        'aside from',
        'other than',
        'but not',
        'but skip',
        'and not',
        'with the exception of',
      ].map((words) => phrase(words)),
    ),
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
const PLURAL_PERIODS = new Map([...PERIODS].map(([name, period]): [string, Period] => [`${name}s`, period]))
const TIMES_UNITS = new Map<string, PeriodUnit>([
  ['day', 'day'],
  ['week', 'week'],
  ['month', 'month'],
  ['year', 'year'],
])
const timesCount: Rule<number> = longest(
  map(word('twice'), () => 2),
  map(word('thrice'), () => 3),
  map(sequence(whole, word('times time x')), ([count]) => count),
)
const clockOrHour: Rule<Clock> = longest(
  map(longest(...clocks), ({ clock, ...rest }) => (Object.keys(rest).length === 0 ? clock : undefined)),
  map(whole, (hour) => (hour <= 24 ? at(hour) : undefined)),
)
const days: Rule<Piece[]> = longest<Piece[]>(
  everyDayOfWeek,
  map(sequence(word('once'), longest<unknown>(sequence(word('a per each every'), word('day')), word('daily'))), () => [
    EVERY_DAY,
  ]),
  map(sequence(optional(phrase('in the')), meaning(PLURAL_PERIODS)), ([, period]) => [
    SOME_DAYS,
    { kind: 'time', period },
  ]),
  map(sequence(each, meaning(PERIODS)), ([, period]) => [SOME_DAYS, { kind: 'time', period }]),
  map(word('nightly'), () => [SOME_DAYS, { kind: 'time', period: 'night' }]),
  map(sequence(each, namedHour), ([, clock]) => [EVERY_DAY, { kind: 'time', clock }]),
  map(someDays, (found) => [{ kind: 'weekdays', weekdays: found }]),
  map(
    sequence(
      timesCount,
      longest<PeriodUnit>(
        map(sequence(word('a per each every'), meaning(TIMES_UNITS)), ([, unit]) => unit),
        map(word('daily'), () => 'day' as const),
        map(word('weekly'), () => 'week' as const),
        map(word('monthly'), () => 'month' as const),
      ),
    ),
    ([count, unit]) => [{ kind: 'times-in', unit, count }, ...unitBeside(unit)],
  ),
)

/** "twice a month on the 1st and 15th" says that the days are of the month. */
function unitBeside(unit: PeriodUnit): Piece[] {
  return unit === 'day' ? [] : [{ kind: 'unit', unit }]
}
/** "7 in the morning": the words after a number make it an hour. */
const hourOfPart: Rule<Piece[]> = map(
  sequence(
    optional(word('at @')),
    clockOrHour,
    longest(
      map(sequence(word('in'), word('the'), meaning(PERIODS)), ([, , part]) => part),
      map(phrase('at night'), () => 'night' as const),
    ),
  ),
  ([, clock, part]) => [{ kind: 'time', clock, period: part }],
)
/** "at 8, 14 and 20:00": in a list that begins with "at" a bare number is a clock too. */
const clockList: Rule<Piece[]> = map(
  sequence(word('at @'), clockOrHour, optional(many(sequence(joint, clockOrHour)))),
  ([, first, more = []]) => [
    { kind: 'time', clock: first },
    ...more.flatMap(([, clock]): Piece[] => [
      { kind: 'and', isComma: true },
      { kind: 'time', clock },
    ]),
  ],
)

const once = longest<unknown>(each, sequence(word('once one'), optional(word('time')), word('a per each every')))
const units: Rule<Piece[]> = longest<Piece[]>(
  map(longest<unknown>(sequence(once, word('week')), word('weekly')), () => [{ kind: 'unit', unit: 'week' }]),
  map(longest<unknown>(sequence(longest<unknown>(once, word('the')), word('month')), word('monthly')), () => [
    { kind: 'unit', unit: 'month' },
  ]),
  map(longest<unknown>(sequence(longest<unknown>(once, word('the')), word('year')), word('yearly annually')), () => [
    { kind: 'unit', unit: 'year' },
  ]),
  map(longest<unknown>(sequence(longest<unknown>(once, word('the a')), word('quarter')), word('quarterly')), () => [
    { kind: 'unit', unit: 'quarter' },
  ]),
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

/** Understood, and there is no exact way to keep it, or people disagree on what it is. */
const inexact: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(each, word('other second third alternate'), word('weekday workday')), () => [UNSUPPORTED]),
  map(sequence(each, word('half'), optional(word('a')), word('month')), () => [AMBIGUOUS]),
  map(word('bimonthly semimonthly semiweekly biannually biannual triweekly'), () => [AMBIGUOUS]),
  // Every other one, or the second of the month?
  map(sequence(each, word('second third fourth 2nd 3rd 4th'), name, notBefore(ofSomething)), () => [AMBIGUOUS]),
)

const intervals: Rule<Piece[]> = longest<Piece[]>(
  map(sequence(optional(word('once')), each, word('hour')), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(word('once'), word('an a per'), word('hour')), () => [{ kind: 'interval', seconds: 3600 }]),
  map(word('hourly'), () => [{ kind: 'interval', seconds: 3600 }]),
  map(sequence(each, phrase('hour and a half')), () => [{ kind: 'interval', seconds: 5400 }]),
  map(sequence(each, word('minute')), () => [{ kind: 'interval', seconds: 60 }]),
  map(sequence(each, word('second')), () => [{ kind: 'interval', seconds: 1 }]),
  map(
    longest<unknown>(
      sequence(each, word('fortnight')),
      word('fortnightly biweekly'),
      phrase('bi - weekly'),
      phrase('once a fortnight'),
    ),
    () => [period('week', 2)],
  ),
  map(
    longest<unknown>(word('semiannually'), phrase('semi - annually'), sequence(each, word('half'), word('year'))),
    () => [period('month', 6)],
  ),
  map(
    sequence(
      optional(word('on')),
      longest<unknown>(sequence(each, word('other alternate')), word('alternate alternating')),
      oneList,
    ),
    ([, , found]) => [period('week', 2), { kind: 'weekdays', weekdays: found }],
  ),
  map(sequence(optional(word('on')), word('alternate alternating'), word('days')), () => [period('day', 2)]),
  map(sequence(each, written, meaning(PLURAL_WEEKDAYS)), ([, count, weekday]) => [
    period('week', count),
    { kind: 'weekdays', weekdays: [weekday] },
  ]),
  map(sequence(optional(word('once')), each, notBefore(word('few a an the mon')), duration), ([, , , found]) =>
    intervalOf(found),
  ),
  map(sequence(optional(word('once')), each, word('other alternate'), unit), ([, , , found]) =>
    intervalOf(durationOf(2, found)),
  ),
  map(sequence(optional(word('once')), each, ordinal, word('day week hour minute month year')), ([, , count, found]) =>
    intervalOf(durationOf(count, UNIT_OF[found] ?? UNIT_OF.day)),
  ),
  map(sequence(everyHour, optional(word(',')), atMinutes), ([, , minutes]) => [{ kind: 'minutes', minutes }]),
  map(sequence(atMinutes, optional(word('of')), everyHour), ([minutes]) => [{ kind: 'minutes', minutes }]),
  map(sequence(optional(word('at')), word('half'), word('past'), everyHour), () => [
    { kind: 'minutes', minutes: [30] },
  ]),
)

const UNIT_OF: Record<string, Parameters<typeof durationOf>[1]> & { day: Parameters<typeof durationOf>[1] } = {
  day: { part: 'days', size: 1 },
  week: { part: 'days', size: 7 },
  hour: { part: 'seconds', size: 3600 },
  minute: { part: 'seconds', size: 60 },
  month: { part: 'months', size: 1 },
  year: { part: 'months', size: 12 },
}

/** "every Christmas". */
const feasts: Rule<Piece[]> = map(
  sequence(each, optional(sequence(word('year'), optional(word('on at')))), holiday),
  ([, , { holiday: name = '', ...rest }]) => {
    const found = FEASTS.get(name)
    if (!found || Object.keys(rest).length > 0) return undefined
    return [
      { kind: 'unit', unit: 'year' },
      { kind: 'dates', dates: [found] },
    ]
  },
)

export const englishPieces: Rule<Piece[]>[] = [
  ...[inexact, days, except, units, intervals, ...englishPlaces],
  ...[dates, feasts, hourOfPart, clockList],
]
export const englishAnd = longest(word('and &'), phrase(', and'), phrase('as well as'), word('plus'))
export const englishFillers = longest(
  word('the on at of in sharp exactly please only always just repeat repeating recurring'),
  phrase('local time'),
  phrase('on the dot'),
)
