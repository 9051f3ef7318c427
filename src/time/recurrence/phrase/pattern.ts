import type { Draft, Period } from '../../draft'
import type { Duration } from '../../duration'
import type { SaidSpan, SaidTime } from '../../said-span'
import type { NthWeekday, PeriodUnit, Piece } from './piece'

export type Said = SaidTime & { leads?: true }

/** What the pieces of a phrase say together. */
export interface Pattern {
  weekdays?: readonly number[]
  /** Nobody named the days; see `Piece`. */
  loose?: true
  monthDays?: readonly number[]
  dates?: readonly { month: number; day: number }[]
  nthWeekdays?: { days: readonly NthWeekday[]; isEvery?: true }
  nthWorkdays?: readonly number[]
  months?: readonly number[]
  except?: readonly number[]
  unit?: 'week' | 'month' | 'quarter' | 'year'
  period?: { unit: PeriodUnit; count: number }
  interval?: number
  minutes?: readonly number[]
  zone?: string
  window?: SaidSpan
  timesIn?: { unit: PeriodUnit; count: number }
  dayParts?: readonly Period[]
  from?: Draft
  until?: { draft: Draft; isThrough?: true }
  lasting?: Duration
  count?: number
  /** Nothing is joined by "and": "Friday the 13th" is one day. */
  isBoth?: boolean
  times: Said[]
}

/** Pieces about the same thing must agree: "Monday at 9 and Tuesday at 10" is two automations. */
export function joinPieces(pieces: readonly Piece[]): Pattern | 'contradiction' | 'unsupported' | 'ambiguous' {
  const refused = pieces.find((piece) => piece.kind === 'no')
  if (refused) return refused.code
  const pattern: Pattern = { times: [], isBoth: !pieces.some(({ kind }) => kind === 'and') }
  const single = isSingle(pieces)
  let group: Said | undefined
  for (const piece of pieces) {
    if (piece.kind === 'no') continue
    if (piece.kind === 'and') {
      group = undefined
    } else if (piece.kind === 'time') {
      const { kind: _kind, ...said } = piece
      // 早上8点晚上8点: one clock after the other needs no word between them.
      if (group?.clock && (said.clock || said.leads)) group = undefined
      if (group?.period && said.period) return 'contradiction'
      if (group) Object.assign(group, said)
      else pattern.times.push((group = { ...said }))
    } else if (!fill(pattern, piece, single)) {
      return 'contradiction'
    }
  }
  return zipDayParts(pattern)
}

/** 早中晚8点12点18点: the parts of the day belong to the clocks in their order. */
function zipDayParts(pattern: Pattern): Pattern | 'ambiguous' {
  const { dayParts, times } = pattern
  if (!dayParts) return pattern
  if (times.some(({ clock, period }) => !clock || period)) return 'ambiguous'
  const [only] = times
  // 早晚8点 is eight in the morning and eight in the evening.
  if (times.length === 1 && only && dayParts.length === 2) {
    return { ...pattern, times: dayParts.map((period) => ({ ...only, period })) }
  }
  if (dayParts.length !== times.length) return 'ambiguous'
  return { ...pattern, times: times.map((said, index) => ({ ...said, period: dayParts[index] })) }
}

/** The days stand together: neither a clock nor an "and" parts them, a comma at most. */
function isSingle(pieces: readonly Piece[]): boolean {
  const first = pieces.findIndex(({ kind }) => kind === 'weekdays')
  const last = pieces.findLastIndex(({ kind }) => kind === 'weekdays')
  const between = pieces.slice(Math.max(0, first), last)
  return !between.some((piece) => (piece.kind === 'and' && !piece.isComma) || (piece.kind === 'time' && piece.clock))
}

type Weekdays = Extract<Piece, { kind: 'weekdays' }>
type Filling = Exclude<Piece, { kind: 'and' } | { kind: 'time' } | { kind: 'no' }>

function fill(pattern: Pattern, piece: Filling, single: boolean): boolean {
  switch (piece.kind) {
    case 'weekdays':
      return fillWeekdays(pattern, piece, single)
    case 'month-days':
      return fillMonthDays(pattern, piece.days)
    case 'dates':
      return put(pattern, 'dates', piece.dates)
    case 'nth-weekdays':
      return put(pattern, 'nthWeekdays', piece)
    case 'nth-workdays':
      return put(pattern, 'nthWorkdays', piece.nths)
    case 'months':
      return put(pattern, 'months', piece.months)
    case 'except':
      return put(pattern, 'except', piece.weekdays)
    case 'window':
      return put(pattern, 'window', piece.window)
    case 'times-in':
      return put(pattern, 'timesIn', piece)
    case 'day-parts':
      return put(pattern, 'dayParts', piece.periods)
    case 'unit':
      return put(pattern, 'unit', piece.unit)
    case 'period':
      return put(pattern, 'period', piece)
    case 'interval':
      return put(pattern, 'interval', piece.seconds)
    case 'minutes':
      return put(pattern, 'minutes', piece.minutes)
    case 'from':
      return put(pattern, 'from', piece.draft)
    case 'until':
      return put(pattern, 'until', piece)
    case 'lasting':
      return put(pattern, 'lasting', piece.duration)
    case 'count':
      return put(pattern, 'count', piece.count)
    case 'zone':
      return put(pattern, 'zone', piece.zone)
  }
}

/** "the 15th and the last day": days of one month are one list, however they are named. */
function fillMonthDays(pattern: Pattern, days: readonly number[]): boolean {
  pattern.monthDays = [...new Set([...(pattern.monthDays ?? []), ...days])]
  return true
}

/** In "every morning on weekdays" every day gives way to the days that are named, if there is but one time. */
function fillWeekdays(pattern: Pattern, piece: Weekdays, single: boolean): boolean {
  const { weekdays } = piece
  const known = pattern.weekdays
  const differs = known !== undefined && String(known) !== String(weekdays)
  // 周一到周五每天 is each of those days; 周一每天 is a slip.
  const loose = piece.loose ?? (isEachOf(weekdays, known) || undefined)
  if (isEachOf(known, weekdays)) pattern.loose = true
  if (differs && !(single && (loose || pattern.loose))) return false
  if (differs && loose) return true
  pattern.weekdays = weekdays
  if (loose) pattern.loose = loose
  else delete pattern.loose
  return true
}

const isEachOf = (every: readonly number[] = [], named: readonly number[] = []): boolean =>
  every.length === 7 && named.length > 1 && named.length < 7

function put<K extends keyof Pattern>(pattern: Pattern, key: K, value: Pattern[K]): boolean {
  if (pattern[key] !== undefined && pattern[key] !== value) return false
  pattern[key] = value
  return true
}
