import type { Clock, Period } from '../../time/draft'

/** What a part of a phrase says. Weekdays count from Monday, 1, to Sunday, 7. */
export type Piece =
  /** `loose` is the every day of "every morning", which weekdays beside it may narrow. */
  | { kind: 'weekdays'; weekdays: readonly number[]; loose?: true }
  | { kind: 'month-days'; days: readonly number[] }
  | { kind: 'dates'; dates: readonly { month: number; day: number }[] }
  /** "every month", which needs a day beside it. */
  | { kind: 'unit'; unit: 'week' | 'month' | 'year' }
  | { kind: 'interval'; seconds: number }
  | { kind: 'minutes'; minutes: readonly number[] }
  | { kind: 'time'; period?: Period; clock?: Clock }
  | { kind: 'zone'; zone: string }
  | { kind: 'and' }
  /** Understood, but there is no exact way to keep it, or there are two readings. */
  | { kind: 'no'; code: 'unsupported' | 'ambiguous' }

export const EVERY_DAY = { kind: 'weekdays', weekdays: [1, 2, 3, 4, 5, 6, 7] } as const satisfies Piece
export const SOME_DAYS: Piece = { ...EVERY_DAY, loose: true }
export const WORKDAYS: Piece = { kind: 'weekdays', weekdays: [1, 2, 3, 4, 5] }
export const WEEKEND: Piece = { kind: 'weekdays', weekdays: [6, 7] }
export const UNSUPPORTED: Piece = { kind: 'no', code: 'unsupported' }
export const AMBIGUOUS: Piece = { kind: 'no', code: 'ambiguous' }

/** Monday to Friday; Saturday to Monday goes around the week. */
export function weekdaysBetween(first: number, last: number): number[] {
  const length = ((last - first + 7) % 7) + 1
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1)
}
