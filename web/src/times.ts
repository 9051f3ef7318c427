import { locale, t } from './language'

type Instant = string | number | Date

const format = (at: Instant, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale.value, options).format(new Date(at))

export const clockTime = (at: Instant) =>
  format(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
export const shortTime = (at: Instant) => format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
export const fullTime = (at: Instant) => format(at, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' })
export const dayName = (at: Instant) => format(at, { weekday: 'long', month: 'long', day: 'numeric' })
const dayAndTime = (at: Instant) =>
  format(at, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

const isSameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString()

/** The time alone today, with its day otherwise. */
export function nearTime(at: Instant, now: number): string {
  return isSameDay(new Date(at), new Date(now)) ? clockTime(at) : dayAndTime(at)
}

/** What is left to the second: 04:59, 3:04:59, 2 d 03:04:59. */
export function countdown(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const [seconds, minutes, hours, days] = [
    total % 60,
    Math.floor(total / 60) % 60,
    Math.floor(total / 3_600) % 24,
    Math.floor(total / 86_400),
  ]
  if (days > 0) return `${days} ${t().dayUnit} ${pad(hours)}:${pad(minutes)}:${pad(seconds)}`
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${pad(minutes)}:${pad(seconds)}`
}

/** 85 ms, 1.2 s, 3 min, 2 h: as exact as a person cares for. */
export function duration(ms: number): string {
  const units = t().units
  if (ms < 1_000) return `${Math.round(ms)} ${units.ms}`
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} ${units.s}`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} ${units.min}`
  return `${Number((ms / 3_600_000).toFixed(1))} ${units.h}`
}
