import type { ChannelName } from '../contracts/words'
import type { Queryable } from './database'

/** A call is over after this long, whatever became of who made it. */
const CALL_SECONDS = 60

/** Whether a call for `ref` (an SQL expression for what it delivers) is under way. */
export const isInCall = (ref: string) => `EXISTS (
  SELECT 1 FROM delivery_attempts WHERE source_ref = ${ref} AND outcome = 'started'
    AND started_at > now() - make_interval(secs => ${CALL_SECONDS}))`

export interface AttemptEnd {
  /** `uncertain` when it may have reached the person although nobody heard so. */
  outcome: 'accepted' | 'retry' | 'failed' | 'uncertain'
  receipt?: string | null
  error?: string
}

/** Writes down a call before it is made. `sourceRef` names what it delivers. */
export async function startAttempt(
  db: Queryable,
  attempt: { sourceRef: string; number: number; channel: ChannelName },
): Promise<void> {
  await db.query('INSERT INTO delivery_attempts (source_ref, number, channel) VALUES ($1, $2, $3)', [
    attempt.sourceRef,
    attempt.number,
    attempt.channel,
  ])
}

/** A call of which we never heard the end may have reached the person. Answers whether any call may have. */
export async function mayHaveArrived(db: Queryable, sourceRef: string): Promise<boolean> {
  await db.query(
    `UPDATE delivery_attempts SET outcome = 'uncertain', ended_at = now() WHERE source_ref = $1 AND outcome = 'started'`,
    [sourceRef],
  )
  const { rows } = await db.query(
    `SELECT 1 FROM delivery_attempts WHERE source_ref = $1 AND outcome = 'uncertain' LIMIT 1`,
    [sourceRef],
  )
  return rows.length > 0
}

/** Not longer than since `notBefore`. */
export async function msSinceFirstAttempt(db: Queryable, sourceRef: string, notBefore?: Date): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    `SELECT (1000 * extract(epoch FROM now() - greatest(min(started_at), $2::timestamptz)))::float8 AS ms
     FROM delivery_attempts WHERE source_ref = $1`,
    [sourceRef, notBefore ?? null],
  )
  return rows[0]!.ms
}

export async function endAttempt(db: Queryable, sourceRef: string, number: number, end: AttemptEnd): Promise<void> {
  await db.query(
    `UPDATE delivery_attempts SET outcome = $3, ended_at = now(), receipt = $4, error = $5
     WHERE source_ref = $1 AND number = $2`,
    [sourceRef, number, end.outcome, end.receipt?.slice(0, 500) ?? null, end.error?.slice(0, 1_000) ?? null],
  )
}
