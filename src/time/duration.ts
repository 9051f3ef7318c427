/** Months and days follow the calendar; seconds are elapsed time. */
export interface Duration {
  months: number
  days: number
  businessDays: number
  seconds: number
}

export interface Unit {
  part: 'months' | 'days' | 'businessDays' | 'seconds'
  size: number
}

const unit = (part: Unit['part'], size: number): Unit => ({ part, size })

export const UNITS = {
  second: unit('seconds', 1),
  minute: unit('seconds', 60),
  quarter: unit('seconds', 900),
  hour: unit('seconds', 3600),
  day: unit('days', 1),
  businessDay: unit('businessDays', 1),
  week: unit('days', 7),
  fortnight: unit('days', 14),
  month: unit('months', 1),
  season: unit('months', 3),
  year: unit('months', 12),
} as const satisfies Record<string, Unit>

export const NO_TIME: Duration = { months: 0, days: 0, businessDays: 0, seconds: 0 }

/** What is left of a broken amount falls to the next smaller part: half a day is twelve hours, half a month 15 days. */
export function durationOf(amount: number, { part, size }: Unit): Duration {
  const total = amount * size
  if (part === 'seconds') return { ...NO_TIME, seconds: Math.round(total) }
  const whole = Math.floor(total + 1e-9)
  const rest = Math.max(0, total - whole)
  if (part === 'months') return { ...NO_TIME, months: whole, days: Math.round(rest * 30) }
  return { ...NO_TIME, [part]: whole, seconds: Math.round(rest * 86_400) }
}

export function addDurations(left: Duration, right: Duration): Duration {
  return {
    months: left.months + right.months,
    days: left.days + right.days,
    businessDays: left.businessDays + right.businessDays,
    seconds: left.seconds + right.seconds,
  }
}

export function negate(duration: Duration): Duration {
  return {
    months: -duration.months,
    days: -duration.days,
    businessDays: -duration.businessDays,
    seconds: -duration.seconds,
  }
}

export function isElapsedOnly({ months, days, businessDays }: Duration): boolean {
  return months === 0 && days === 0 && businessDays === 0
}

export interface Piece {
  amount: number
  unit: Unit
}

const rank = ({ unit: { part, size } }: Piece): number => {
  if (part === 'months') return size * 2_592_000
  return part === 'seconds' ? size : size * 86_400
}

/** Pieces must fall in size ("1 h 20 min"); "2 min 3 min" is not one duration. */
export function totalOf(pieces: Piece[]): Duration | undefined {
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    if (before && rank(before) <= rank(piece)) return undefined
  }
  return pieces.map((piece) => durationOf(piece.amount, piece.unit)).reduce(addDurations, NO_TIME)
}
