import { findTimes } from '../../calendar/find-times'
import type { MinuteOfDay } from '../../said-span'
import type { Said } from './pattern'

export type Times = MinuteOfDay[] | 'invalid_clock' | 'ambiguous' | 'unsupported'

const HALF_DAY = 720

/** By the table of docs/time.md for a clock with a date: a bare nine is 09:00, a bare three 15:00, no clock 09:00. */
export function timesOf(said: readonly Said[]): Times {
  if (said.length === 0) return [9 * 60]
  // A part of the day without a clock beside clocks: to whom it belongs is open.
  if (said.length > 1 && said.some(({ clock }) => !clock) && said.some(({ clock }) => clock)) return 'ambiguous'
  const minutes: MinuteOfDay[] = []
  for (const time of said) {
    const seconds = secondsOf(time)
    if (seconds === undefined) return 'invalid_clock'
    // Cron knows no seconds.
    if (seconds % 60 !== 0) return 'unsupported'
    minutes.push(seconds / 60)
  }
  const isWritten = !said.some((time) => isOpen(time) && !time.clock?.digital)
  if (said.every(isPlain)) return isRising(minutes) || isWritten ? minutes : onlyRising(said, minutes)
  return said.some(isOpen) ? onlyRising(said, inheriting(said, minutes)) : minutes
}

function secondsOf(said: Said): number | undefined {
  const found = findTimes(said, { undated: false, today: false, nowSeconds: 0 })
  return typeof found === 'string' ? undefined : found[0]
}

/** 晚上8点和10点: what is said before a clock holds for those after it too, as long as the day goes on. */
function inheriting(said: readonly Said[], minutes: readonly MinuteOfDay[]): (MinuteOfDay | undefined)[] {
  let lead: Said['period']
  return said.map((time, index) => {
    if (time.leads && time.period) lead = time.period
    if (!isOpen(time) || lead === undefined || time.clock?.hour === 12) return isOpen(time) ? undefined : minutes[index]
    const seconds = secondsOf({ ...time, period: lead })
    const before = minutes[index - 1] ?? 0
    return seconds !== undefined && seconds / 60 > before && seconds < 86_400 ? seconds / 60 : undefined
  })
}

/** "9 and 5pm", "8, 12 and 6": the one way in which the day goes on; in "8 and 10pm" there are two. */
function onlyRising(said: readonly Said[], known: readonly (MinuteOfDay | undefined)[]): Times {
  const isAllPlain = said.every(isPlain)
  let ways: MinuteOfDay[][] = [[]]
  for (const [index, time] of said.entries()) {
    const settled = known[index]
    const hour = ((secondsOf(time) ?? 0) / 60) % HALF_DAY
    const isChoice = isOpen(time) && (isAllPlain || settled === undefined)
    const choices = !isChoice && settled !== undefined ? [settled] : [hour, hour + HALF_DAY]
    ways = ways.flatMap((way) => choices.filter((each) => each > (way.at(-1) ?? -1)).map((each) => [...way, each]))
  }
  const [only] = ways
  return only && ways.length === 1 ? only : 'ambiguous'
}

const isRising = (minutes: readonly MinuteOfDay[]): boolean =>
  minutes.every((minute, index) => index === 0 || minute > (minutes[index - 1] ?? 0))

const isPlain = ({ clock, period }: Said): boolean => clock !== undefined && !clock.half && !period
/** Fits both halves of the day. */
const isOpen = (said: Said): boolean =>
  isPlain(said) && !said.clock?.exact && (said.clock?.hour ?? 0) >= 1 && (said.clock?.hour ?? 0) < 12
