import type { Pool } from 'pg'
import { forgetBot } from './delete-bot'
import type { KeptFamily, OldRows } from '../../engine/promise-kind'
import type { SessionEndings } from './delete-session'
import { deleteInBatches, forgetSessions } from './forget'
import { forgetDeleted } from './forget-deleted'

/** `records`: how turns, calls, deliveries and what platforms handed in went. `promises`: what was promised and is over. */
export type KeptDays = Record<KeptFamily, number>

/** What grows with what was ever done, and is over, besides the rows of promises (`old` of each kind). History has a retention of its own. */
const OLD: readonly OldRows[] = [
  {
    table: 'tool_calls',
    kept: 'records',
    where: `t.started_at < $1
      AND NOT EXISTS (SELECT 1 FROM turns WHERE id = t.turn_id AND status IN ('queued', 'running'))`,
  },
  { table: 'turns', kept: 'records', where: `t.created_at < $1 AND t.status NOT IN ('queued', 'running')` },
  { table: 'model_usage', kept: 'records', where: 't.created_at < $1' },
  { table: 'usage_days', kept: 'records', where: 't.day < $1' },
  { table: 'sign_in_tokens', kept: 'records', where: 't.expires_at < $1' },
]

/** Deletes what is past its time, and forgets what came in too late to be forgotten with its session or bot. */
export async function pruneOld(
  pool: Pool,
  endings: SessionEndings,
  { kept, onBatch }: { kept: KeptDays; onBatch: () => void },
): Promise<number> {
  let pruned = 0
  for (const { table, kept: family, where } of [...OLD, ...endings.old]) {
    pruned += await deleteInBatches(pool, table, where, [await daysAgo(pool, kept[family])])
    onBatch()
  }
  await forgetLeftovers(pool, endings, onBatch)
  return pruned
}

async function daysAgo(pool: Pool, days: number): Promise<Date> {
  const { rows } = await pool.query<{ at: Date }>('SELECT now() - make_interval(days => $1) AS at', [days])
  return rows[0]!.at
}

/** A process died while it forgot; or a call that was under way when its session was deleted wrote how it ended. */
async function forgetLeftovers(pool: Pool, endings: SessionEndings, onBatch: () => void): Promise<void> {
  const { rows: unfinished } = await pool.query<{ sessionKey: string }>(
    'SELECT session_key FROM sessions WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL LIMIT 1000',
  )
  for (const { sessionKey: key } of unfinished) {
    await forgetDeleted(pool, endings, key)
    onBatch()
  }
  const { rows: sessions } = await pool.query<{ sessionKey: string }>(
    `SELECT session_key FROM sessions WHERE deleted_at > now() - interval '3 days' LIMIT 10000`,
  )
  await forgetSessions(
    pool,
    endings.words,
    sessions.map(({ sessionKey: key }) => key),
    true,
  )
  onBatch()
  const { rows: bots } = await pool.query<{ uuid: string }>(
    `SELECT uuid FROM bots WHERE deleted_at > now() - interval '3 days' LIMIT 1000`,
  )
  for (const { uuid } of bots) {
    await forgetBot(pool, endings, uuid)
    onBatch()
  }
}
