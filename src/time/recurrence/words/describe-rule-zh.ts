import type { RepeatRule } from '../rule/repeat-rule'
import type { SaidDays } from './rule-days'
import { clocksOf, saidDays } from './rule-days'

const DIGITS = [...'零一二三四五六七八九']

/** 每两周的周二 09:00; undefined for a rule that is better shown as it is written. */
export function describeRuleInChinese(rule: RepeatRule): string | undefined {
  const days = saidDays(rule)
  const clocks = clocksOf(rule)
  if (!days || !clocks) return undefined
  const said = daysOf(rule, days)
  return said === undefined ? undefined : `${said} ${listed(clocks)}`
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join('、')}和${words.at(-1)}`

function daysOf(rule: RepeatRule, days: SaidDays): string | undefined {
  const { freq, interval } = rule
  switch (freq) {
    case 'DAILY':
      if (days.kind === 'every-day') return `${inMonths(rule)}${each(interval, '天')}`
      return interval === 1
        ? daysOf({ ...rule, freq: days.kind === 'weekdays' ? 'WEEKLY' : 'MONTHLY' }, days)
        : undefined
    case 'WEEKLY':
      if (days.kind !== 'weekdays') return undefined
      return interval === 1
        ? `${inMonths(rule)}${weekdaysOf(days.weekdays)}`
        : `${inMonths(rule)}${each(interval, '周')}的${namesOf(days.weekdays)}`
    case 'MONTHLY':
      return join(`${inMonths(rule)}${each(interval, '个月')}`, placesOf(days), interval > 1)
    case 'YEARLY':
      return join(each(interval, '年') + monthsOf(rule, days), placesOf(days), false)
    default:
      return undefined
  }
}

const join = (period: string, places: string | undefined, apart: boolean): string | undefined =>
  places && `${period}${apart ? '的' : ''}${places}`

const two = (count: number): string => (count === 2 ? '两' : (DIGITS[count] ?? ` ${count} `))
const each = (interval: number, unit: string): string =>
  interval === 1 ? `每${unit.replace('个', '')}` : `每${two(interval)}${unit}`
const monthList = ({ byMonth = [] }: RepeatRule): string => listed(byMonth.map((month) => `${month}月`))
const inMonths = (rule: RepeatRule): string => (rule.byMonth ? `${monthList(rule)}的` : '')
const monthsOf = (rule: RepeatRule, days: SaidDays): string =>
  rule.byMonth
    ? `${monthList(rule)}${days.kind === 'month-days' && rule.byMonth.length === 1 ? '' : '的'}`
    : days.kind === 'month-days'
      ? '每月'
      : ''

const names = (weekdays: readonly number[]): string[] => weekdays.map((day) => `周${'一二三四五六日'[day - 1]}`)
const GROUPS = new Map([
  ['12345', '工作日'],
  ['67', '周末'],
  ['1234567', '天'],
])
const namesOf = (weekdays: readonly number[]): string => GROUPS.get(weekdays.join('')) ?? listed(names(weekdays))
function weekdaysOf(weekdays: readonly number[]): string {
  const group = GROUPS.get(weekdays.join(''))
  if (group) return group === '工作日' ? '每个工作日' : `每${group}`
  if (weekdays.length === 6) {
    const left = [1, 2, 3, 4, 5, 6, 7].filter((day) => !weekdays.includes(day))
    return `每天(${names(left).join('')}除外)`
  }
  return `每${listed(names(weekdays))}`
}

function placesOf(days: SaidDays): string | undefined {
  switch (days.kind) {
    case 'month-days':
      return listed(days.days.map(dayName))
    case 'nth-weekdays':
      return listed(days.days.map(({ nth, weekday }) => `${place(nth)}个${names([weekday]).join('')}`))
    case 'nth-workdays':
      return listed(days.nths.map((nth) => `${place(nth)}个工作日`))
    case 'weekdays-on':
      return `${listed(days.days.map(dayName))}(逢${listed(names(days.weekdays))})`
    case 'weekdays':
      return weekdaysOf(days.weekdays)
    case 'every-day':
      return undefined
  }
}

const place = (nth: number): string =>
  nth === -1 ? '最后一' : nth < 0 ? `倒数第${DIGITS[-nth] ?? -nth}` : `第${DIGITS[nth] ?? nth}`
const dayName = (day: number): string => (day < 0 ? `${place(day)}天` : `${day}日`)
