import type { Refusal } from '../../contracts/refusal'

/**
 * When an automation runs. Cron and rules keep the wall clock of their zone, `every` is elapsed time, `at` happens once.
 * `from` is the ISO instant before which there is no run; an interval is counted from it.
 */
export type Recurrence =
  /** Five fields each. A day of the month and a weekday in one expression must both fit, as Temporal reads it. */
  | { kind: 'cron'; expressions: string[]; timezone: string; from?: string }
  | { kind: 'every'; seconds: number; from?: string }
  /** What cron cannot say: a rule of RFC 5545 without its end, and the wall clock at which its counting begins. */
  | { kind: 'rrule'; rule: string; start: string; timezone: string }
  /** ISO in UTC; the zone is the one it was said in. */
  | { kind: 'at'; at: string; timezone: string }

/** One of the five says when; a phrase or a rule may stand in any of the four texts. */
export interface RecurrenceRequest {
  cronExpr?: string
  rrule?: string
  everySeconds?: number
  at?: string
  repeat?: string
  timezone: string
  language: 'zh' | 'en'
  now: Date
}

/** `dst_gap`: a run before this one is skipped, or this one is moved. `dst_repeat`: its hour happens a second time. */
export type RunNote = 'dst_gap' | 'dst_repeat'

export interface NextRun {
  at: Date
  note?: RunNote
}

export type RecurrenceRefusalCode =
  | 'none_given'
  | 'several_given'
  | 'not_understood'
  | 'ambiguous'
  | 'unsupported'
  | 'range'
  | 'too_often'
  | 'invalid_interval'
  | 'invalid_cron'
  | 'invalid_rrule'
  | 'invalid_clock'
  | 'invalid_date'
  | 'bad_timezone'
  | 'past'
  | 'never'
  | 'too_far'
  | 'too_long'

export type RecurrenceRefusal = Refusal<RecurrenceRefusalCode>

export interface RecurrenceRead {
  ok: true
  recurrence: Recurrence
  /** The reading in the language of the request. */
  words: string
  /** The next five at most, none after its end. */
  nextRuns: NextRun[]
  /** No run after this moment, where the text names an end. */
  endsAt?: Date
  /** So many runs, where the text counts them. */
  maxRuns?: number
  /** Sentences for the person: what daylight saving does within a year, months without such a day. */
  notes: string[]
}

export type RecurrenceReading = RecurrenceRead | RecurrenceRefusal

/** What a Temporal Schedule needs, as plain data. The offset counts from the epoch. */
export type RecurrenceSpec = (
  { cronExpressions: string[]; timezone: string } | { intervalSeconds: number; offsetSeconds: number }
) & { startAt?: Date }
