import type { Pool } from 'pg'
import { scheduledMessageRef } from '../../contracts/scheduled-message'
import type { DueOutcome, ScheduledMessage } from '../../contracts/scheduled-message'
import type { Session } from '../../contracts/session'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents } from '../session-writes'
import { storableText } from '../storable'
import { lockMessage, reasonNotToSend, storeSent } from './deliver'
import { promiseEvent, toScheduledMessage } from './rows'
import type { ScheduledMessageRow } from './rows'

/** Longer than a channel may take for one try, so that a claim ends by itself only when its holder is dead. */
const CLAIM_SECONDS = 30

export interface Attempt {
  number: number
  message: ScheduledMessage
  session: Session
  /** Milliseconds since the first try, to bound the retries. */
  tryingForMs: number
}

export type AttemptStart = { state: 'go'; attempt: Attempt } | DueOutcome

/**
 * Claims the message for one call to its channel and writes the attempt before the call is made. A call of which we
 * never heard the end may have reached the person: it is recorded `uncertain`.
 */
export function beginAttempt(pool: Pool, id: string, idempotent: boolean): Promise<AttemptStart> {
  return inTransaction(pool, async (db) => {
    const due = await lockMessage(db, id)
    if (!due) return { state: 'gone' }
    const refusal = reasonNotToSend(due)
    if (refusal) return refusal
    const uncertain = await markUncertain(db, id)
    const { rows } = await db.query<ScheduledMessageRow>(
      `UPDATE scheduled_messages SET attempts = attempts + 1, claimed_until = now() + make_interval(secs => $2),
         possible_duplicate = possible_duplicate OR $3, updated_at_ts = now() WHERE id = $1 RETURNING *`,
      [id, CLAIM_SECONDS, uncertain && !idempotent],
    )
    const row = rows[0]!
    await db.query('INSERT INTO delivery_attempts (source_ref, number, channel) VALUES ($1, $2, $3)', [
      scheduledMessageRef(id),
      row.attempts,
      row.channel,
    ])
    const tryingForMs = await sinceFirstAttempt(db, id)
    return {
      state: 'go',
      attempt: { number: row.attempts, message: toScheduledMessage(row), session: due.session, tryingForMs },
    }
  })
}

/** The channel took it: sent, whatever was asked meanwhile (a cancel that came during the call has lost). */
export function completeAttempt(
  pool: Pool,
  id: string,
  number: number,
  receipt: string | null,
): Promise<DueOutcome & { lateByMs?: number }> {
  return inTransaction(pool, async (db) => {
    const due = await lockMessage(db, id)
    if (!due) return { state: 'gone' }
    await endAttempt(db, id, number, 'accepted', { receipt })
    if (due.row.status !== 'pending') return { state: due.row.status }
    return { state: 'sent', lateByMs: await storeSent(db, due.session, due.row) }
  })
}

/** The channel refused. Kept pending for another try, or `failed` for good; visible in the row either way. */
export function failAttempt(
  pool: Pool,
  id: string,
  number: number,
  failure: { error: string; final: boolean },
): Promise<void> {
  return inTransaction(pool, async (db) => {
    const due = await lockMessage(db, id)
    if (!due) return
    await endAttempt(db, id, number, failure.final ? 'failed' : 'retry', { error: failure.error })
    await recordFailure(db, id, failure)
  })
}

/** The workflow gave up or was broken: the row says so. Changes nothing that has ended. */
export function failScheduledMessage(pool: Pool, id: string, error: string): Promise<void> {
  return inTransaction(pool, async (db) => {
    if (await lockMessage(db, id)) await recordFailure(db, id, { error, final: true })
  })
}

async function recordFailure(db: Queryable, id: string, failure: { error: string; final: boolean }): Promise<void> {
  const { rows } = await db.query<ScheduledMessageRow>(
    `UPDATE scheduled_messages SET status = CASE WHEN $3 THEN 'failed' ELSE status END, last_error = $2,
       claimed_until = NULL, updated_at_ts = now() WHERE id = $1 AND status = 'pending' RETURNING *`,
    [id, storableText(failure.error).slice(0, 1_000), failure.final],
  )
  if (rows[0]) await appendEvents(db, rows[0].session_id, [promiseEvent(rows[0])])
}

async function markUncertain(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE delivery_attempts SET outcome = 'uncertain', ended_at = now() WHERE source_ref = $1 AND outcome = 'started'`,
    [scheduledMessageRef(id)],
  )
  return (rowCount ?? 0) > 0
}

async function sinceFirstAttempt(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    `SELECT (1000 * extract(epoch FROM now() - min(started_at)))::float8 AS ms FROM delivery_attempts WHERE source_ref = $1`,
    [scheduledMessageRef(id)],
  )
  return rows[0]!.ms
}

async function endAttempt(
  db: Queryable,
  id: string,
  number: number,
  outcome: 'accepted' | 'retry' | 'failed',
  detail: { receipt?: string | null; error?: string },
): Promise<void> {
  await db.query(
    `UPDATE delivery_attempts SET outcome = $3, ended_at = now(), receipt = $4, error = $5
     WHERE source_ref = $1 AND number = $2`,
    [scheduledMessageRef(id), number, outcome, detail.receipt ?? null, detail.error?.slice(0, 1_000) ?? null],
  )
}
