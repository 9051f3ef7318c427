import type { RepeatRule } from '../rule/repeat-rule'

/** Which days of its period a rule names, as a person would say it; undefined where nobody has a word for it. */
export type SaidDays =
  | { kind: 'every-day' }
  | { kind: 'weekdays'; weekdays: readonly number[] }
  | { kind: 'month-days'; days: readonly number[] }
  | { kind: 'nth-weekdays'; days: readonly { nth: number; weekday: number }[] }
  /** Working days, Monday to Friday, by their place in the month. */
  | { kind: 'nth-workdays'; nths: readonly number[] }
  | { kind: 'weekdays-on'; weekdays: readonly number[]; days: readonly number[] }

export function saidDays({ freq, byMonthDay, byDay, bySetPos }: RepeatRule): SaidDays | undefined {
  const plain = byDay?.every(({ nth }) => nth === undefined)
  const weekdays = byDay?.map(({ weekday }) => weekday).sort((left, right) => left - right) ?? []
  if (bySetPos) {
    if (byMonthDay || !plain || freq === 'WEEKLY' || freq === 'DAILY') return undefined
    if (weekdays.join('') === '12345') return { kind: 'nth-workdays', nths: bySetPos }
    const [weekday] = weekdays
    const isOne = weekdays.length === 1 && weekday !== undefined
    return isOne ? { kind: 'nth-weekdays', days: bySetPos.map((nth) => ({ nth, weekday })) } : undefined
  }
  if (byDay && byMonthDay) return plain ? { kind: 'weekdays-on', weekdays, days: byMonthDay } : undefined
  if (byMonthDay) return { kind: 'month-days', days: byMonthDay }
  if (!byDay) return { kind: 'every-day' }
  if (plain) return { kind: 'weekdays', weekdays }
  const days = byDay.flatMap(({ nth, weekday }) => (nth === undefined ? [] : [{ nth, weekday }]))
  return days.length === byDay.length ? { kind: 'nth-weekdays', days } : undefined
}

const MOST_TIMES = 8

/** The clocks of a rule; undefined where they are too many to be listed. */
export function clocksOf({ byHour, byMinute }: RepeatRule): string[] | undefined {
  if (!byHour || !byMinute || byHour.length * byMinute.length > MOST_TIMES) return undefined
  const sorted = (values: readonly number[]): number[] => [...values].sort((left, right) => left - right)
  const two = (value: number): string => String(value).padStart(2, '0')
  return sorted(byHour).flatMap((hour) => sorted(byMinute).map((minute) => `${two(hour)}:${two(minute)}`))
}
