import type { Duration } from './duration'

export type Period = 'night-end' | 'dawn' | 'morning' | 'forenoon' | 'noon' | 'afternoon' | 'dusk' | 'evening' | 'night'

export interface Clock {
  hour: number
  minute: number
  second: number
  half?: 'am' | 'pm'
  /** Written in the 24-hour way or named (noon, 零点), so it has no second reading. */
  exact?: boolean
  /** Written with digits and a colon: beside a date it is taken as it stands. */
  digital?: boolean
  /** "ten to eight" is eight with -10, because eight must first be given its half of the day. */
  shiftMinutes?: number
}

/** What the parts of a text say together. Every part fills some fields; a field filled twice is a contradiction. */
export interface Draft {
  now?: true
  year?: number
  yearOffset?: number
  month?: number
  monthOffset?: number
  /** A three-letter month alone ("mar") is too little to go by. */
  monthIsShort?: true
  day?: number | 'last'
  weekday?: number
  /** Which one: the coming one, the one of a week counted from this one, or the n-th from now. */
  weekdayChoice?: 'coming' | 'next' | 'last' | { count: number }
  weekOffset?: number
  /** The n-th weekday (or with weekOfMonth the n-th week) of the month; -1 is the last. */
  nth?: number
  weekOfMonth?: true
  dayOffset?: number
  holiday?: string
  solarTerm?: number
  lunar?: true
  clock?: Clock
  period?: Period
  endOfDay?: true
  /** "this time tomorrow": the clock of now on another day. */
  sameTime?: true
  shift?: Duration
  shiftFrom?: 'now' | 'date'
  zone?: string
  /** A number that only its neighbours can explain. */
  bare?: number
  bareDigits?: string
  /** "2h", which is two hours alone and two o'clock beside a date. */
  hourMark?: number
  invalid?: 'invalid_clock' | 'invalid_date'
}

/** Joins two drafts; undefined when they contradict each other. */
export function joinDrafts(left: Draft, right: Draft): Draft | undefined {
  // Two bare numbers are two riddles, even when they are the same.
  if (left.bare !== undefined && right.bare !== undefined) return undefined
  for (const key of Object.keys(right) as (keyof Draft)[]) {
    if (left[key] !== undefined && right[key] !== undefined && left[key] !== right[key]) return undefined
  }
  return { ...left, ...right }
}

const DATE_FIELDS = [
  'year',
  'yearOffset',
  'month',
  'monthOffset',
  'day',
  'weekday',
  'weekOffset',
  'dayOffset',
  'holiday',
  'solarTerm',
] as const satisfies readonly (keyof Draft)[]

export function hasDate(draft: Draft): boolean {
  return DATE_FIELDS.some((field) => draft[field] !== undefined)
}

/** A day without a clock, a part of the day or a length of time counted from now. */
export function isWholeDay(draft: Draft): boolean {
  const { clock, period, sameTime, now, shiftFrom, endOfDay } = draft
  if (clock || period || sameTime || now || shiftFrom === 'now') return false
  return hasDate(draft) || endOfDay === true
}
