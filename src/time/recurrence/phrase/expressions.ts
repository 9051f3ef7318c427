import type { MinuteOfDay } from '../../said-span'
import type { RuleDay } from '../rule/repeat-rule'
import type { Days } from './compile-days'

const DAY = 1440

/** Cron expressions for some times on some days; undefined where the day beside cannot be said in five fields. */
export function expressionsFor(days: Days, times: readonly MinuteOfDay[]): string[] | undefined {
  const expressions: string[] = []
  if (!isForCron(days)) return undefined
  for (const group of groupTimes(times)) {
    const fields = dayFields(days, group.shift)
    if (!fields) return undefined
    expressions.push(...fields.map((field) => `${minuteField(group.minutes)} ${hourField(group.hours)} ${field}`))
  }
  return [...new Set(expressions)]
}

/** Days from the end of a month, a fifth weekday and the n-th working day are beyond five fields. */
function isForCron({ byMonthDay = [], byDay = [], bySetPos }: Days): boolean {
  return !bySetPos && byMonthDay.every((day) => day > 0) && byDay.every(({ nth = 1 }) => nth >= 1 && nth <= 4)
}

interface TimeGroup {
  minutes: number[]
  hours: number[]
  shift: number
}

/** Times that share the minute and the day become one expression, and so do minutes of every hour. */
function groupTimes(times: readonly MinuteOfDay[]): TimeGroup[] {
  const groups = new Map<string, TimeGroup>()
  for (const time of [...new Set(times)].sort((left, right) => left - right)) {
    const shift = Math.floor(time / DAY)
    const ofDay = time - shift * DAY
    const key = `${shift} ${ofDay % 60}`
    const group = groups.get(key) ?? { minutes: [ofDay % 60], hours: [], shift }
    group.hours.push(Math.floor(ofDay / 60))
    groups.set(key, group)
  }
  const everyHour = [...groups.values()].filter(({ hours }) => hours.length === 24)
  const others = [...groups.values()].filter(({ hours }) => hours.length < 24)
  const [first] = everyHour
  return first ? [{ ...first, minutes: everyHour.flatMap(({ minutes }) => minutes) }, ...others] : others
}

function minuteField(minutes: readonly number[]): string {
  const step = 60 / minutes.length
  const isEven = minutes.length > 2 && minutes.every((minute, index) => minute === index * step)
  return isEven ? `*/${step}` : minutes.join(',')
}

function dayFields(days: Days, shift: number): string[] | undefined {
  const { byMonth, byMonthDay, byDay, alternatives } = days
  if (alternatives) {
    const fields = alternatives.map((each) => dayFields(each, shift))
    return fields.every((each) => each !== undefined) ? fields.flat() : undefined
  }
  const months = byMonth ? ascending(byMonth).join(',') : '*'
  const nths = byDay?.filter(({ nth }) => nth !== undefined) ?? []
  // The second Tuesday is the one from the 8th to the 14th, and a day in one expression must fit both.
  if (nths.length > 0) {
    const week = ({ nth = 1, weekday }: RuleDay): string => `${nth * 7 - 6}-${nth * 7} ${months} ${weekday % 7}`
    return shift === 0 ? nths.map(week) : undefined
  }
  const weekdays = byDay?.map(({ weekday }) => weekday)
  if (!byMonthDay) {
    // Around the end of a month the day after belongs to another.
    if (shift !== 0 && byMonth) return undefined
    return [`* ${months} ${weekdays ? weekdayField(weekdays, shift) : '*'}`]
  }
  const moved = byMonthDay.map((day) => day + shift)
  // The day after the 28th, or before the 1st, has a number of its own in each month.
  const isSure = shift === 0 || (!weekdays && Math.max(...byMonthDay) < 28 && Math.min(...moved) > 0)
  return isSure ? [`${ascending(moved).join(',')} ${months} ${weekdays ? weekdayField(weekdays, 0) : '*'}`] : undefined
}

function hourField(hours: readonly number[]): string {
  if (hours.length === 24) return '*'
  const [first = 0, last = 0] = [hours[0], hours.at(-1)]
  return hours.length > 3 && last - first === hours.length - 1 ? `${first}-${last}` : hours.join(',')
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((left, right) => left - right)

/** Monday first, because a weekend begins on Saturday; cron's Sunday is 0. */
function weekdayField(weekdays: readonly number[], shift: number): string {
  const moved = ascending(weekdays.map((day) => ((day - 1 + shift + 7) % 7) + 1))
  if (moved.length === 7) return '*'
  const [first = 1] = moved
  const run = moved.length > 2 && moved.at(-1) === first + moved.length - 1 && moved.at(-1) !== 7
  return run ? `${first}-${moved.at(-1)}` : moved.map((day) => day % 7).join(',')
}
