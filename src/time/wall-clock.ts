import type { Zone } from 'luxon'
import { DateTime } from 'luxon'

/** A wall-clock reading without a zone: a luxon value in UTC, so that its arithmetic never meets a DST change. */
export type Wall = DateTime

const DAY_MS = 86_400_000

export function wallAt(instantMs: number, zone: Zone): Wall {
  return DateTime.fromMillis(instantMs + zone.offset(instantMs) * 60_000, { zone: 'utc' })
}

export function wallDay(year: number, month: number, day: number): Wall | undefined {
  const wall = DateTime.utc(year, month, day)
  return wall.isValid ? wall : undefined
}

/** Days and seconds on the wall are plain sums, and far cheaper than luxon's calendar. */
export function addSeconds(wall: Wall, seconds: number): Wall {
  return DateTime.fromMillis(wall.toMillis() + seconds * 1000, { zone: 'utc' })
}

export function addDays(wall: Wall, days: number): Wall {
  return addSeconds(wall, days * 86_400)
}

export interface Placed {
  ms: number
  dst: 'none' | 'gap' | 'overlap'
}

/**
 * Places a wall clock on the time line. An hour that happens twice means its first passing; an hour that is skipped
 * keeps the offset from before the change, so 02:30 in a one-hour gap becomes 03:30.
 */
export function placeInZone(wall: Wall, zone: Zone): Placed {
  const local = wall.toMillis()
  const before = zone.offset(local - DAY_MS)
  const after = zone.offset(local + DAY_MS)
  if (before === after) return { ms: local - before * 60_000, dst: 'none' }
  const fits = [before, after]
    .map((offset) => ({ offset, ms: local - offset * 60_000 }))
    .filter(({ offset, ms }) => zone.offset(ms) === offset)
    .map(({ ms }) => ms)
  if (fits.length === 0) return { ms: local - before * 60_000, dst: 'gap' }
  return { ms: Math.min(...fits), dst: fits.length > 1 ? 'overlap' : 'none' }
}
