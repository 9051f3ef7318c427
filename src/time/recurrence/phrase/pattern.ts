import type { SaidSpan, SaidTime } from '../../said-span'
import type { Piece } from './piece'

/** What the pieces of a phrase say together. */
export interface Pattern {
  weekdays?: readonly number[]
  /** Nobody named the days; see `Piece`. */
  loose?: true
  monthDays?: readonly number[]
  dates?: readonly { month: number; day: number }[]
  nthWeekdays?: { nths: readonly number[]; weekday: number }
  except?: readonly number[]
  unit?: 'week' | 'month' | 'year'
  interval?: number
  minutes?: readonly number[]
  zone?: string
  window?: SaidSpan
  timesADay?: number
  times: SaidTime[]
}

/** Pieces about the same thing must agree: "Monday at 9 and Tuesday at 10" is two automations. */
export function joinPieces(pieces: readonly Piece[]): Pattern | 'contradiction' | 'unsupported' | 'ambiguous' {
  const refused = pieces.find((piece) => piece.kind === 'no')
  if (refused) return refused.code
  const pattern: Pattern = { times: [] }
  const single = isSingle(pieces)
  let group: SaidTime | undefined
  for (const piece of pieces) {
    if (piece.kind === 'no') continue
    if (piece.kind === 'and') {
      group = undefined
    } else if (piece.kind === 'time') {
      const { kind: _kind, ...said } = piece
      if ((group?.clock && said.clock) || (group?.period && said.period)) return 'contradiction'
      if (group) Object.assign(group, said)
      else pattern.times.push((group = { ...said }))
    } else if (!fill(pattern, piece, single)) {
      return 'contradiction'
    }
  }
  return pattern
}

/** One time on some days: nothing is joined by "and", and a comma parts the days from the one clock at most. */
function isSingle(pieces: readonly Piece[]): boolean {
  const joints = pieces.filter((piece) => piece.kind === 'and')
  const clocks = pieces.filter((piece) => piece.kind === 'time' && piece.clock)
  return joints.length === 0 || (joints.every(({ isComma }) => isComma) && clocks.length <= 1)
}

type Weekdays = Extract<Piece, { kind: 'weekdays' }>
type Filling = Exclude<Piece, { kind: 'and' } | { kind: 'time' } | { kind: 'no' }>

function fill(pattern: Pattern, piece: Filling, single: boolean): boolean {
  switch (piece.kind) {
    case 'weekdays':
      return fillWeekdays(pattern, piece, single)
    case 'month-days':
      return put(pattern, 'monthDays', piece.days)
    case 'dates':
      return put(pattern, 'dates', piece.dates)
    case 'nth-weekdays':
      return put(pattern, 'nthWeekdays', piece)
    case 'except':
      return put(pattern, 'except', piece.weekdays)
    case 'window':
      return put(pattern, 'window', piece.window)
    case 'times-a-day':
      return put(pattern, 'timesADay', piece.count)
    case 'unit':
      return put(pattern, 'unit', piece.unit)
    case 'interval':
      return put(pattern, 'interval', piece.seconds)
    case 'minutes':
      return put(pattern, 'minutes', piece.minutes)
    case 'zone':
      return put(pattern, 'zone', piece.zone)
  }
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
