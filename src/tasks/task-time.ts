import type { TaskTime, TimeSegment } from './contract'
import { readDay } from '../time'
import { defaultSegment, hasPassed, localDayAt, readRange } from './local-day'
import { refuse } from './refusals'
import type { TaskRefusal } from './refusals'

/** When something shall be, as it was said; what is left out is absent or blank. */
export interface TimeWish {
  dueDate?: string
  startTime?: string
  endTime?: string
  timeSegment?: TimeSegment
}

export interface Clock {
  now: Date
  zone: string
}

export type SettledTime = { ok: true; time: TaskTime; note?: string } | TaskRefusal
type Mode = { ok: true; mode: Omit<TaskTime, 'dueDate'> } | TaskRefusal

/** The time of a new task, by the rules of docs/tasks.md. */
export function settleTime(wish: TimeWish, clock: Clock): SettledTime {
  const said = withoutBlanks(wish)
  if (saysBothModes(said)) return refuse('time_modes_exclusive')
  if (said.dueDate === undefined) return refuse('need_date')
  const dueDate = readDay(said.dueDate, clock.now, clock.zone)
  if (dueDate === undefined) return refuse('bad_date')
  const mode = hasRange(said) ? settleRange(said) : segmentOn(dueDate, said.timeSegment, clock)
  return mode.ok ? checkToday({ dueDate, ...mode.mode }, clock) : mode
}

/** The time of a task that is changed: what is not said stays, and saying one mode ends the other. */
export function changeTime(current: TaskTime, wish: TimeWish, clock: Clock): SettledTime {
  const said = withoutBlanks(wish)
  if (saysBothModes(said)) return refuse('time_modes_exclusive')
  const dueDate = said.dueDate === undefined ? current.dueDate : readDay(said.dueDate, clock.now, clock.zone)
  if (dueDate === undefined) return refuse('bad_date')
  const mode = changeMode(current, said)
  if (!mode.ok) return mode
  const time = { dueDate, ...mode.mode }
  // What stays where it was is not asked whether it could still be chosen today.
  return isSameTime(time, current) ? { ok: true, time } : checkToday(time, clock)
}

export function isSameTime(one: TaskTime, other: TaskTime): boolean {
  return (['dueDate', 'startTime', 'endTime', 'timeSegment'] as const).every((field) => one[field] === other[field])
}

/** Two tasks clash when existingStart < newEnd AND existingEnd > newStart; only exact ranges of the same day can clash. */
export function overlaps(one: TaskTime, other: TaskTime): boolean {
  if (one.startTime === null || one.endTime === null || other.startTime === null || other.endTime === null) return false
  return one.dueDate === other.dueDate && one.startTime < other.endTime && one.endTime > other.startTime
}

function changeMode(current: TaskTime, said: TimeWish): Mode {
  const { startTime, endTime, timeSegment } = current
  if (said.timeSegment !== undefined) return ofSegment(said.timeSegment)
  if (!hasRange(said)) return { ok: true, mode: { startTime, endTime, timeSegment } }
  // A new end alone makes a range longer or shorter; a new start alone may mean a move, so the end is asked for.
  return settleRange({ startTime: said.endTime === undefined ? undefined : (startTime ?? undefined), ...said })
}

function settleRange({ startTime, endTime }: TimeWish): Mode {
  if (endTime === undefined) return refuse('need_end_time')
  if (startTime === undefined) return refuse('need_start_time')
  const range = readRange(startTime, endTime)
  if (typeof range === 'string') return refuse(range)
  return { ok: true, mode: { startTime: range.start, endTime: range.end, timeSegment: null } }
}

function segmentOn(dueDate: string, said: TimeSegment | undefined, { now, zone }: Clock): Mode {
  if (said !== undefined) return ofSegment(said)
  const day = localDayAt(now, zone)
  return ofSegment(dueDate === day.today ? defaultSegment(day) : 'all_day')
}

const ofSegment = (timeSegment: TimeSegment): Mode => ({
  ok: true,
  mode: { startTime: null, endTime: null, timeSegment },
})

/** Only today refuses; what lies in the past otherwise is written, and said. */
function checkToday(time: TaskTime, { now, zone }: Clock): SettledTime {
  const day = localDayAt(now, zone)
  if (time.dueDate < day.today) return { ok: true, time, note: 'This day has passed; say so.' }
  if (time.dueDate > day.today) return { ok: true, time }
  if (time.timeSegment !== null && hasPassed(time.timeSegment, day)) return refuse('segment_passed')
  const isOver = time.endTime !== null && time.endTime <= day.clock
  return { ok: true, time, ...(isOver ? { note: 'This time of today has passed; say so.' } : {}) }
}

const saysBothModes = (said: TimeWish) => said.timeSegment !== undefined && hasRange(said)
const hasRange = ({ startTime, endTime }: TimeWish) => startTime !== undefined || endTime !== undefined

/** Models like to fill in empty texts for what was not said. */
function withoutBlanks(wish: TimeWish): TimeWish {
  const said = Object.entries(wish).filter(([, value]: [string, unknown]) => typeof value === 'string' && value.trim())
  return Object.fromEntries(said)
}
