import type { Clock, Draft, Period } from '../../draft'
import type { Duration } from '../../duration'
import type { SaidSpan } from '../../said-span'

export type NthWeekday = { nth: number; weekday: number }
export type PeriodUnit = 'day' | 'week' | 'month' | 'year'

/** What a part of a phrase says. Weekdays count from Monday, 1, to Sunday, 7; what is negative counts from the end. */
export type Piece =
  /** `loose` is the every day of "every morning", which weekdays beside it may narrow. */
  | { kind: 'weekdays'; weekdays: readonly number[]; loose?: true }
  | { kind: 'month-days'; days: readonly number[] }
  | { kind: 'dates'; dates: readonly { month: number; day: number }[] }
  /** The second Tuesday, the last Friday, which need "of the month" beside them. */
  | { kind: 'nth-weekdays'; days: readonly NthWeekday[]; isEvery?: true }
  /** The first or last working day, likewise. */
  | { kind: 'nth-workdays'; nths: readonly number[] }
  /** "in March", which holds for the days beside it. */
  | { kind: 'months'; months: readonly number[] }
  /** "except Sunday", taken from the weekdays beside it. */
  | { kind: 'except'; weekdays: readonly number[] }
  /** "every month", which needs a day beside it. */
  | { kind: 'unit'; unit: 'week' | 'month' | 'quarter' | 'year' }
  /** "every other week", counted in the calendar. */
  | { kind: 'period'; unit: PeriodUnit; count: number }
  /** Elapsed time. */
  | { kind: 'interval'; seconds: number }
  | { kind: 'minutes'; minutes: readonly number[] }
  /** `leads` is a part of the day that stands before its clock, as it does in Chinese. */
  | { kind: 'time'; period?: Period; clock?: Clock; leads?: true }
  /** 早中晚, each of which belongs to one of the clocks after it. */
  | { kind: 'day-parts'; periods: readonly Period[] }
  /** "between 9am and 5pm", which an interval beside it fills. */
  | { kind: 'window'; window: SaidSpan }
  /** "three times a day", which must be as many as the clocks or the days beside it. */
  | { kind: 'times-in'; unit: PeriodUnit; count: number }
  /** "starting next Monday" and "until Friday"; `isThrough` includes a month that is named. */
  | { kind: 'from'; draft: Draft }
  | { kind: 'until'; draft: Draft; isThrough?: true }
  /** "for three weeks". */
  | { kind: 'lasting'; duration: Duration }
  /** "ten times". */
  | { kind: 'count'; count: number }
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

/** March to May; November to February goes around the year. */
export function monthsBetween(first: number, last: number): number[] {
  const length = ((last - first + 12) % 12) + 1
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 12) + 1)
}
