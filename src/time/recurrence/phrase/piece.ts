import type { Clock, Period } from '../../draft'
import type { SaidSpan } from '../../said-span'

/** What a part of a phrase says. Weekdays count from Monday, 1, to Sunday, 7. */
export type Piece =
  /** `loose` is the every day of "every morning", which weekdays beside it may narrow. */
  | { kind: 'weekdays'; weekdays: readonly number[]; loose?: true }
  | { kind: 'month-days'; days: readonly number[] }
  | { kind: 'dates'; dates: readonly { month: number; day: number }[] }
  /** The second Tuesday, which needs "of the month" beside it. */
  | { kind: 'nth-weekdays'; nths: readonly number[]; weekday: number }
  /** "except Sunday", taken from the weekdays beside it. */
  | { kind: 'except'; weekdays: readonly number[] }
  /** "every month", which needs a day beside it. */
  | { kind: 'unit'; unit: 'week' | 'month' | 'year' }
  | { kind: 'interval'; seconds: number }
  | { kind: 'minutes'; minutes: readonly number[] }
  | { kind: 'time'; period?: Period; clock?: Clock }
  /** "between 9am and 5pm", which an interval beside it fills. */
  | { kind: 'window'; window: SaidSpan }
  /** "three times a day", which must be as many as the clocks beside it. */
  | { kind: 'times-a-day'; count: number }
  | { kind: 'zone'; zone: string }
  | { kind: 'and'; isComma?: boolean }
  /** Understood, but there is no exact way to keep it, or there are two readings. */
  | { kind: 'no'; code: 'unsupported' | 'ambiguous' }

export const EVERY_DAY = { kind: 'weekdays', weekdays: [1, 2, 3, 4, 5, 6, 7] } as const satisfies Piece
export const SOME_DAYS: Piece = { ...EVERY_DAY, loose: true }
export const UNSUPPORTED: Piece = { kind: 'no', code: 'unsupported' }
export const AMBIGUOUS: Piece = { kind: 'no', code: 'ambiguous' }

/** Monday to Friday; Saturday to Monday goes around the week. */
export function weekdaysBetween(first: number, last: number): number[] {
  const length = ((last - first + 7) % 7) + 1
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1)
}
