import type { Wall } from './repeat-rule'
import { DAY, floorTo } from './repeat-rule'

/** Each day with its clocks, minutes and hours as cron has them; hours with the same minutes stand together. */
export function datesOf(walls: readonly Wall[]): [Wall, string][] {
  const days = new Map<Wall, Map<number, number[]>>()
  for (const wall of walls) {
    const hours = days.get(floorTo(wall, DAY)) ?? new Map<number, number[]>()
    const date = new Date(wall)
    hours.set(date.getUTCHours(), [...(hours.get(date.getUTCHours()) ?? []), date.getUTCMinutes()])
    days.set(floorTo(wall, DAY), hours)
  }
  return [...days].flatMap(([day, hours]) => {
    const byMinutes = new Map<string, number[]>()
    for (const [hour, minutes] of hours)
      byMinutes.set(minutes.join(','), [...(byMinutes.get(minutes.join(',')) ?? []), hour])
    return [...byMinutes].map(([minutes, ofMinutes]): [Wall, string] => [day, `${minutes} ${ofMinutes.join(',')}`])
  })
}
