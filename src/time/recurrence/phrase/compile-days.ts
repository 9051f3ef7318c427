import type { RecurrenceRefusalCode } from '../contract'
import type { RepeatRule, RuleDay } from '../rule/repeat-rule'
import type { Pattern } from './pattern'
import type { NthWeekday } from './piece'

/** The days that a phrase names, in the parts of a rule; which of them cron can say is found out later. */
export type Days = Pick<RepeatRule, 'byMonth' | 'byMonthDay' | 'byDay' | 'bySetPos'> & {
  unit: 'day' | 'week' | 'month' | 'year'
  /** Dates that are no product of months and days: each is a rule of its own. */
  alternatives?: readonly Days[]
}

const WORKDAYS: readonly RuleDay[] = [1, 2, 3, 4, 5].map((weekday) => ({ weekday }))
const FIRST_MONTHS = [1, 4, 7, 10]
const LAST_MONTHS = [3, 6, 9, 12]

type Refused = RecurrenceRefusalCode

/** The one kind of day that is named, and what must stand beside it; undefined when no day is named. */
export function daysOf(pattern: Pattern): Days | Refused | undefined {
  const { weekdays, monthDays, dates, nthWeekdays, nthWorkdays, except, months } = pattern
  const named = [weekdays, monthDays, dates, nthWeekdays, nthWorkdays].filter((each) => each !== undefined).length
  if (months?.some((month) => month < 1 || month > 12)) return 'invalid_date'
  if (named === 2 && weekdays && pattern.loose) return daysOf({ ...pattern, weekdays: undefined, loose: undefined })
  if (named === 2 && weekdays && monthDays) return fridayThe13th(pattern, weekdays, monthDays)
  if (named > 1) return 'ambiguous'
  if (except && !weekdays) return exceptOf(pattern, except)
  if (weekdays) return ofWeekdays(pattern, weekdays)
  if (nthWeekdays) return ofNthWeekdays(pattern, nthWeekdays)
  if (nthWorkdays)
    return placed(
      pattern,
      nthWorkdays.every((nth) => nth < 0),
      (byMonth) => ({
        unit: 'month',
        ...byMonth,
        byDay: WORKDAYS,
        bySetPos: nthWorkdays,
      }),
    )
  if (monthDays) return ofMonthDays(pattern, monthDays)
  if (dates) return ofDates(pattern, dates)
  if (pattern.unit === 'quarter')
    return pattern.period ? 'ambiguous' : { unit: 'month', byMonth: FIRST_MONTHS, byMonthDay: [1] }
  return months ? 'ambiguous' : undefined
}

/** "every Friday the 13th" must be both; "the 1st and Monday" is two automations. */
function fridayThe13th(pattern: Pattern, weekdays: readonly number[], monthDays: readonly number[]): Days | Refused {
  const [only] = monthDays
  const isBoth = weekdays.length === 1 && monthDays.length === 1 && only !== undefined && only > 0 && pattern.isBoth
  if (!isBoth || pattern.unit === 'week' || pattern.unit === 'quarter' || pattern.except) return 'ambiguous'
  return { unit: 'month', byMonthDay: monthDays, byDay: weekdays.map((weekday) => ({ weekday })), ...inMonths(pattern) }
}

/** "the 1st of every month except weekends". */
function exceptOf(pattern: Pattern, except: readonly number[]): Days | Refused {
  const { monthDays, period } = pattern
  if (period?.unit === 'day' || !monthDays) return 'ambiguous'
  const days = daysOf({ ...pattern, except: undefined })
  if (!days || typeof days === 'string') return days ?? 'ambiguous'
  return {
    ...days,
    byDay: [1, 2, 3, 4, 5, 6, 7].filter((day) => !except.includes(day)).map((weekday) => ({ weekday })),
  }
}

const inMonths = ({ months }: Pattern): Pick<Days, 'byMonth'> => (months ? { byMonth: months } : {})

function ofWeekdays(pattern: Pattern, weekdays: readonly number[]): Days | Refused {
  const { unit, except, period, months } = pattern
  // 每年3月每周一 names the year of its month; "every month on Monday" names no Monday.
  const isOpen = unit === 'month' || unit === 'quarter' || (unit === 'year' && !months)
  const left = without(weekdays, except)
  if (isOpen || !left || (period && period.unit !== 'week')) return 'ambiguous'
  if (left.length === 7) return period ? 'ambiguous' : { unit: 'day', ...inMonths(pattern) }
  return { unit: 'week', byDay: left.map((weekday) => ({ weekday })), ...inMonths(pattern) }
}

/** "weekdays except Sunday" takes away what is not there: one of the two was meant otherwise. */
function without(weekdays: readonly number[], except: readonly number[] = []): number[] | undefined {
  const left = weekdays.filter((day) => !except.includes(day))
  const isPart = except.every((day) => weekdays.includes(day))
  return isPart && left.length > 0 ? left : undefined
}

/** Of the month, unless the year or the quarter is named; in a quarter what is last lies in its last month. */
function placed(pattern: Pattern, isLast: boolean, build: (byMonth: Pick<Days, 'byMonth'>) => Days): Days | Refused {
  const { unit, period, months } = pattern
  if (unit === 'quarter')
    return months || period ? 'ambiguous' : build({ byMonth: isLast ? LAST_MONTHS : FIRST_MONTHS })
  if (unit === 'week' || (period && period.unit !== 'month' && period.unit !== 'year')) return 'ambiguous'
  if (months) return build({ byMonth: months })
  if (unit === 'year' || period?.unit === 'year') return 'ambiguous'
  return unit === 'month' || period?.unit === 'month' ? build({}) : 'unsupported'
}

/** A fifth Tuesday is left out where a month has none; "every first Monday" can only be of the month. */
function ofNthWeekdays(
  pattern: Pattern,
  { days, isEvery }: { days: readonly NthWeekday[]; isEvery?: true },
): Days | Refused {
  const isLast = days.every(({ nth }) => nth < 0)
  if (pattern.unit === 'quarter' && !isLast && days.some(({ nth }) => nth < 0)) return 'ambiguous'
  const isClear = days.length > 1 || days.every(({ nth }) => nth === 1 || nth === -1)
  const isOfMonth = isEvery && pattern.unit === undefined && isClear
  const ofMonth: Pattern = isOfMonth && !pattern.months && !pattern.period ? { ...pattern, unit: 'month' } : pattern
  return placed(ofMonth, isLast, (byMonth) => ({ unit: 'month', ...byMonth, byDay: days }))
}

function ofMonthDays(pattern: Pattern, days: readonly number[]): Days | Refused {
  const { unit, period, months } = pattern
  if (days.some((day) => day === 0 || day < -31 || day > 31)) return 'invalid_date'
  const isEdge = days.every((day) => day === 1) || days.every((day) => day === -1)
  if (unit === 'quarter' && !isEdge) return 'ambiguous'
  if ((unit === 'year' || period?.unit === 'year') && !months) {
    if (!isEdge) return 'ambiguous'
    return { unit: 'year', byMonth: [days[0] === 1 ? 1 : 12], byMonthDay: days }
  }
  const found = placed(
    pattern,
    days.every((day) => day < 0),
    (byMonth) => ({ unit: 'month', ...byMonth, byMonthDay: days }),
  )
  if (typeof found === 'string') return found === 'unsupported' ? 'not_understood' : found
  return months?.every((month) => days.every((day) => day > monthLength(month))) ? 'invalid_date' : found
}

/** Several dates are one rule only if each month has the same days. */
function ofDates(pattern: Pattern, dates: readonly { month: number; day: number }[]): Days | Refused {
  const { unit, period, months } = pattern
  if (months) return 'ambiguous'
  if (!dates.every(({ month, day }) => month >= 1 && month <= 12 && day >= 1 && day <= monthLength(month)))
    return 'invalid_date'
  if (unit !== 'year' && period?.unit !== 'year') return 'not_understood'
  const byMonth = [...new Set(dates.map(({ month }) => month))]
  const byMonthDay = [...new Set(dates.map(({ day }) => day))]
  if (byMonth.length * byMonthDay.length === dates.length) return { unit: 'year', byMonth, byMonthDay }
  const alternatives = dates.map(({ month, day }): Days => ({ unit: 'year', byMonth: [month], byMonthDay: [day] }))
  return { unit: 'year', alternatives }
}

/** In some year: 2028 is a leap year. */
const monthLength = (month: number): number => new Date(Date.UTC(2028, month, 0)).getUTCDate()
