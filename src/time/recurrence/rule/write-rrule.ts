import type { RepeatRule, RuleDay } from './repeat-rule'

export const WEEKDAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** The rule as RFC 5545 writes it, in one fixed order. */
export function writeRrule(rule: RepeatRule): string {
  const { freq, interval, byMonth, byMonthDay, byDay, byHour, byMinute, bySetPos, weekStart } = rule
  const parts: [string, readonly (string | number)[] | undefined][] = [
    ['FREQ', [freq]],
    ['INTERVAL', interval === 1 ? undefined : [interval]],
    ['WKST', weekStart === 1 ? undefined : [codeOf(weekStart)]],
    ['BYMONTH', byMonth],
    ['BYMONTHDAY', byMonthDay],
    ['BYDAY', byDay?.map(writeDay)],
    ['BYHOUR', byHour],
    ['BYMINUTE', byMinute],
    ['BYSETPOS', bySetPos],
  ]
  return parts.flatMap(([name, values]) => (values ? [`${name}=${values.join(',')}`] : [])).join(';')
}

const writeDay = ({ weekday, nth }: RuleDay): string => `${nth ?? ''}${codeOf(weekday)}`
const codeOf = (weekday: number): string => WEEKDAY_CODES[weekday - 1] ?? 'MO'
