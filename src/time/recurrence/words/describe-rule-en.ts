import type { RepeatRule } from '../rule/repeat-rule'
import type { SaidDays } from './rule-days'
import { clocksOf, saidDays } from './rule-days'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']

export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** "Every other Tuesday at 09:00"; undefined for a rule that is better shown as it is written. */
export function describeRuleInEnglish(rule: RepeatRule): string | undefined {
  const days = saidDays(rule)
  const clocks = clocksOf(rule)
  if (!days || !clocks) return undefined
  const said = daysOf(rule, days)
  return said === undefined ? undefined : `Every ${said} at ${listed(clocks)}`
}

function daysOf(rule: RepeatRule, days: SaidDays): string | undefined {
  switch (rule.freq) {
    case 'DAILY':
      return days.kind === 'every-day' ? everyOther(rule.interval, 'day') + inMonths(rule) : weekly(rule, days)
    case 'WEEKLY':
      return weekly(rule, days)
    case 'MONTHLY':
      return monthly(rule, days)
    case 'YEARLY':
      return yearly(rule, days)
    default:
      return undefined
  }
}

const everyOther = (interval: number, unit: string): string =>
  interval === 1 ? unit : interval === 2 ? `other ${unit}` : `${interval} ${unit}s`
const monthsOf = ({ byMonth }: RepeatRule): string => listed((byMonth ?? []).map((month) => MONTHS[month - 1] ?? ''))
const inMonths = (rule: RepeatRule): string => (rule.byMonth ? ` in ${monthsOf(rule)}` : '')

function weekly(rule: RepeatRule, days: SaidDays): string | undefined {
  if (days.kind === 'weekdays-on' && rule.interval === 1) return monthly({ ...rule, freq: 'MONTHLY' }, days)
  if (days.kind === 'month-days' && rule.freq === 'DAILY') return monthly({ ...rule, freq: 'MONTHLY' }, days)
  if (days.kind !== 'weekdays' || (rule.freq === 'DAILY' && rule.interval > 1)) return undefined
  const { interval } = rule
  const group = groupOf(days.weekdays)
  if (interval === 1) return (group ?? namesOf(days.weekdays)) + inMonths(rule)
  if (interval === 2 && (!group || days.weekdays.length === 6))
    return `other ${namesOf(days.weekdays)}${inMonths(rule)}`
  return `${everyOther(interval, 'week')} on ${group && days.weekdays.length < 6 ? `${group}s` : namesOf(days.weekdays)}${inMonths(rule)}`
}

const namesOf = (weekdays: readonly number[]): string => listed(weekdays.map((day) => WEEKDAYS[day - 1] ?? ''))
function groupOf(weekdays: readonly number[]): string | undefined {
  const set = weekdays.join('')
  if (weekdays.length === 6) {
    const left = [1, 2, 3, 4, 5, 6, 7].find((day) => !weekdays.includes(day))
    return `day except ${WEEKDAYS[(left ?? 7) - 1]}`
  }
  return set === '12345' ? 'weekday' : set === '67' ? 'weekend day' : set === '1234567' ? 'day' : undefined
}

function monthly(rule: RepeatRule, days: SaidDays): string | undefined {
  const named = placesOf(days)
  return named && `${everyOther(rule.interval, 'month')} on ${named}${inMonths(rule)}`
}

function yearly(rule: RepeatRule, days: SaidDays): string | undefined {
  const named = placesOf(days)
  if (!named) return undefined
  const months = rule.byMonth
    ? ` of ${monthsOf(rule)}`
    : days.kind === 'month-days'
      ? ' of every month'
      : ' of the year'
  return `${everyOther(rule.interval, 'year')} on ${named}${months}`
}

function placesOf(days: SaidDays): string | undefined {
  switch (days.kind) {
    case 'month-days':
      return `the ${listed(days.days.map(dayName))}`
    case 'nth-weekdays':
      return `the ${listed(days.days.map(({ nth, weekday }) => `${ordinal(nth)} ${WEEKDAYS[weekday - 1]}`))}`
    case 'nth-workdays':
      return `the ${listed(days.nths.map((nth) => `${ordinal(nth)} working day`))}`
    case 'weekdays-on':
      return `the ${listed(days.days.map(dayName))} if it is a ${listed(days.weekdays.map((day) => WEEKDAYS[day - 1] ?? '')).replace(/ and /, ' or ')}`
    case 'weekdays':
      return `every ${groupOf(days.weekdays) ?? namesOf(days.weekdays)}`
    case 'every-day':
      return undefined
  }
}

function ordinal(nth: number): string {
  if (nth === -1) return 'last'
  return nth < 0 ? `${ordinal(-nth)} to last` : (ORDINALS[nth - 1] ?? numbered(nth))
}
const dayName = (day: number): string => (day < 0 ? `${ordinal(day)} day` : numbered(day))

function numbered(day: number): string {
  const ending = day % 100 > 10 && day % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${day}${ending}`
}
