import { findTimes } from '../../calendar/find-times'
import type { MinuteOfDay, SaidTime } from '../../said-span'

export type Times = MinuteOfDay[] | 'invalid_clock' | 'ambiguous' | 'unsupported'

/** By the table of docs/time.md for a clock with a date: a bare nine is 09:00, a bare three 15:00, no clock 09:00. */
export function timesOf(said: readonly SaidTime[]): Times {
  if (said.length === 0) return [9 * 60]
  // In "8 and 10pm" or 早上8点和9点 one clock is plain and another is not: to whom the word belongs is open.
  if (said.some(isPlain) && !said.every(isPlain) && !said.filter(isPlain).every(({ clock }) => clock?.exact)) {
    return 'ambiguous'
  }
  const minutes: MinuteOfDay[] = []
  for (const time of said) {
    const found = findTimes(time, { undated: false, today: false, nowSeconds: 0 })
    const [seconds] = typeof found === 'string' ? [] : found
    if (seconds === undefined) return 'invalid_clock'
    // Cron knows no seconds.
    if (seconds % 60 !== 0) return 'unsupported'
    minutes.push(seconds / 60)
  }
  // "8, 12 and 6" goes on into the evening, where the table would take six for the morning.
  const isRising = minutes.every((minute, index) => index === 0 || minute > (minutes[index - 1] ?? 0))
  return said.every(isPlain) && !isRising ? 'ambiguous' : minutes
}

const isPlain = ({ clock, period }: SaidTime): boolean => clock !== undefined && !clock.half && !period
