import type { Zone } from 'luxon'
import type { CompiledCron } from './compile-cron'

/** A wall clock as milliseconds, as if it were UTC. */
type Wall = number

export interface CronRun {
  ms: number
  /** The wall clock that was asked for and does not exist; no run happens for it. */
  skipped?: Wall
  /** The wall clock that was asked for, where the run stands at another one. */
  movedFrom?: Wall
  /** The same hour again, after the clocks went back. */
  repeated?: true
}

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
/** Temporal looks no further. */
const LAST_WALL = Date.UTC(2101, 0, 1)

/**
 * The first run after a moment, by Temporal's own rules, quirks included, because the Schedule there decides. It walks
 * the wall clock: a time that a DST change skips is left out, an hour that happens twice is walked twice.
 */
export function nextCronRun(
  cron: CompiledCron,
  zone: Zone,
  afterMs: number,
  lastWall: Wall = LAST_WALL,
): CronRun | undefined {
  const clock = clockIn(zone)
  let wall: Wall = floor(clock.wallAt(afterMs), MINUTE)
  // A moment in the second passing of an hour goes on in it.
  let again = hourOf(clock.wallAt(afterMs - HOUR)) === hourOf(wall) ? HOUR : 0
  let skipped: Wall | undefined

  const toNextMinute = (): void => {
    wall += MINUTE
    if (wall % HOUR !== 0) return
    const hour = wall - HOUR
    const repeats = again === 0 && clock.place(wall) - clock.place(hour) > HOUR
    again = repeats ? HOUR : 0
    if (repeats) wall = hour
  }

  toNextMinute()
  while (wall < lastWall) {
    if (!fitsDay(cron, wall, clock)) {
      wall = floor(wall, DAY) + DAY
      again = 0
      continue
    }
    const day = floor(wall, DAY)
    while (!cron.hour.has(hourOf(wall)) && floor(wall, DAY) === day) {
      wall = floor(wall, HOUR) + HOUR
      again = 0
    }
    if (floor(wall, DAY) !== day) continue
    const hour = floor(wall, HOUR)
    if (!seekMinute()) continue
    const ms = clock.place(wall)
    if (isLost(wall, clock)) {
      skipped ??= wall
      wall = hour + HOUR
      continue
    }
    return runAt(ms)
  }
  return undefined

  /** False when the hour holds no more, and the walk has gone on to the next. */
  function seekMinute(): boolean {
    while (!cron.minute.has(minuteOf(wall))) {
      toNextMinute()
      if (wall % HOUR === 0) return false
    }
    return true
  }

  function runAt(ms: number): CronRun {
    const moved = again === 0 && clock.wallAt(ms) !== wall
    return {
      ms: ms + again,
      ...(skipped === undefined ? {} : { skipped }),
      ...(moved ? { movedFrom: wall } : {}),
      ...(again > 0 ? { repeated: true } : {}),
    }
  }
}

/** The weekday is that of the instant, which around a midnight that is skipped is the day before: so does Temporal. */
function fitsDay(cron: CompiledCron, wall: Wall, clock: ZoneClock): boolean {
  const date = new Date(wall)
  if (!cron.month.has(date.getUTCMonth() + 1) || !cron.day.has(date.getUTCDate())) return false
  return cron.weekday.size === 7 || cron.weekday.has(new Date(clock.wallAt(clock.place(wall))).getUTCDay())
}

/** Its hour does not exist on that day. */
const isLost = (wall: Wall, clock: ZoneClock): boolean => hourOf(clock.wallAt(clock.place(wall))) !== hourOf(wall)

interface ZoneClock {
  wallAt(ms: number): Wall
  place(wall: Wall): number
}

/** `place` takes the offset that holds near the wall clock, as Go does: which of two that is, differs east and west. */
function clockIn(zone: Zone): ZoneClock {
  const offset = (ms: number): number => zone.offset(ms) * MINUTE
  return {
    wallAt: (ms) => ms + offset(ms),
    place(wall) {
      const guess = wall - offset(wall)
      return wall - offset(guess)
    },
  }
}

/** The clocks go forward over it. */
export const isSkipped = (zone: Zone, wall: Wall): boolean => isLost(wall, clockIn(zone))

/** The wall clock of an instant. */
export const wallAt = (zone: Zone, ms: number): Wall => clockIn(zone).wallAt(ms)

const floor = (value: number, unit: number): number => Math.floor(value / unit) * unit
const hourOf = (wall: Wall): number => new Date(wall).getUTCHours()
const minuteOf = (wall: Wall): number => new Date(wall).getUTCMinutes()
