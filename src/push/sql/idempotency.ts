import type { Pool } from 'pg'
import type { PushAnswer } from '../contract'
import type { Queryable } from '../../engine/database'

export interface Idempotency {
  callerId: string
  key: string
  bodyHash: string
}

/** `provisional` while the first try on an outside channel is awaited: what is true if nobody ever hears the end of it. */
export type KeptAnswer = PushAnswer & { provisional?: boolean }

/** How long an answer is kept. */
const KEPT = `interval '24 hours'`

export type FirstUse = { state: 'first' } | { state: 'other_body' } | { state: 'repeated'; answer: KeptAnswer }

/** The first to come writes the row; another waits here until that one has committed, and then reads its answer. */
export async function claimKey(db: Queryable, { callerId, key, bodyHash }: Idempotency): Promise<FirstUse> {
  const taken = await db.query(
    `INSERT INTO idempotency_keys AS known (caller_id, key, body_hash) VALUES ($1, $2, $3)
     ON CONFLICT (caller_id, key) DO UPDATE SET body_hash = excluded.body_hash, answer = NULL, created_at = now()
     WHERE known.created_at < now() - ${KEPT} RETURNING 1`,
    [callerId, key, bodyHash],
  )
  if (taken.rowCount === 1) return { state: 'first' }
  const { rows } = await db.query<{ bodyHash: string; answer: KeptAnswer }>(
    'SELECT body_hash, answer FROM idempotency_keys WHERE caller_id = $1 AND key = $2',
    [callerId, key],
  )
  const [known] = rows
  if (known?.bodyHash !== bodyHash) return { state: 'other_body' }
  return { state: 'repeated', answer: known.answer }
}

export async function keepAnswer(
  db: Queryable,
  { callerId, key }: Pick<Idempotency, 'callerId' | 'key'>,
  answer: KeptAnswer,
): Promise<void> {
  await db.query('UPDATE idempotency_keys SET answer = $3 WHERE caller_id = $1 AND key = $2', [
    callerId,
    key,
    JSON.stringify(answer),
  ])
}

export async function findAnswer(db: Queryable, { callerId, key }: Idempotency): Promise<KeptAnswer | undefined> {
  const { rows } = await db.query<{ answer: KeptAnswer | null }>(
    'SELECT answer FROM idempotency_keys WHERE caller_id = $1 AND key = $2',
    [callerId, key],
  )
  return rows[0]?.answer ?? undefined
}

/** Old answers, and buckets that are full again by now. Bounded, so that a pass stays short. */
export async function prunePushes(pool: Pool, limit: number): Promise<void> {
  await pool.query(
    `DELETE FROM idempotency_keys WHERE ctid IN (
       SELECT ctid FROM idempotency_keys WHERE created_at < now() - ${KEPT} LIMIT $1)`,
    [limit],
  )
  await pool.query(
    `DELETE FROM push_budgets WHERE ctid IN (
       SELECT ctid FROM push_budgets WHERE refilled_at < now() - interval '1 hour' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  )
}
