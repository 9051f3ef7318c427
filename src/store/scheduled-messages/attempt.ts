import type { Pool } from 'pg'
import { scheduledMessageRef } from '../../contracts/scheduled-message'
import type { DueOutcome, ScheduledMessage } from '../../contracts/scheduled-message'
import type { Session } from '../../contracts/session'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { endAttempt, markUncertain, msSinceFirstAttempt, startAttempt } from '../delivery-attempts'
import { appendEvents } from '../session-writes'
import { storableText } from '../storable'
import { deferWhileQuiet, lockMessage, reasonNotToSend, storeSent } from './deliver'
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
    const refusal = reasonNotToSend(due) ?? (await deferWhileQuiet(db, due))
    if (refusal) return refusal
    const sourceRef = scheduledMessageRef(id)
    const uncertain = await markUncertain(db, sourceRef)
    const { rows } = await db.query<ScheduledMessageRow>(
      `UPDATE scheduled_messages SET attempts = attempts + 1, claimed_until = now() + make_interval(secs => $2),
         possible_duplicate = possible_duplicate OR $3, updated_at_ts = now() WHERE id = $1 RETURNING *`,
      [id, CLAIM_SECONDS, uncertain && !idempotent],
    )
    const row = rows[0]!
    await startAttempt(db, { sourceRef, number: row.attempts, channel: row.channel })
    // Tries from before quiet hours moved it do not count.
    const tryingForMs = await msSinceFirstAttempt(db, sourceRef, row.send_at_ts)
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
    await endAttempt(db, scheduledMessageRef(id), number, { outcome: 'accepted', receipt })
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
    const outcome = failure.final ? 'failed' : 'retry'
    await endAttempt(db, scheduledMessageRef(id), number, { outcome, error: failure.error })
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
