import type { Pool } from 'pg'
import type { ConversationKey } from '../../contracts/history'
import type { Queryable } from '../database'
import { inTransaction } from '../database'

const BATCH = 5_000
const OF_CONVERSATION = 'bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3'

/**
 * Deletes what was said in a conversation until now, in batches, so that nobody waits for a million rows. What comes
 * meanwhile stays. Answers how many messages there were.
 */
export async function deleteHistory(pool: Pool, key: ConversationKey): Promise<number> {
  const values = [key.botUuid, key.launcherType, key.launcherId]
  const last = await pool.query<{ id: number }>(
    `SELECT coalesce(max(id), 0) AS id FROM message_history WHERE ${OF_CONVERSATION}`,
    values,
  )
  let deleted = 0
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM message_history WHERE id IN (
         SELECT id FROM message_history WHERE ${OF_CONVERSATION} AND id <= $4
         ORDER BY created_at DESC, id DESC LIMIT ${BATCH})`,
      [...values, last.rows[0]!.id],
    )
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) break
  }
  await inTransaction(pool, (db) => forgetConversation(db, values))
  await scrubSessions(pool, values)
  return deleted
}

/** The row is locked before it is asked whether messages are left: who stores one at this moment comes before or after. */
async function forgetConversation(db: Queryable, values: string[]): Promise<void> {
  await db.query(`SELECT 1 FROM conversations WHERE ${OF_CONVERSATION} FOR UPDATE`, values)
  await db.query(
    `DELETE FROM conversations WHERE ${OF_CONVERSATION}
       AND NOT EXISTS (SELECT 1 FROM message_history WHERE ${OF_CONVERSATION})`,
    values,
  )
}

/**
 * The words also stand in what was streamed, called and asked. A stream that comes back finds its events gone and is told
 * to read anew; turns that are still open keep theirs.
 */
async function scrubSessions(pool: Pool, values: string[]): Promise<void> {
  const { rows } = await pool.query<{ session_key: string }>(
    `SELECT session_key FROM sessions WHERE ${OF_CONVERSATION}`,
    values,
  )
  const keys = rows.map(({ session_key: sessionKey }) => sessionKey)
  if (keys.length === 0) return
  await inBatches(pool, `SELECT ctid FROM session_events WHERE session_key = ANY ($1)`, 'session_events', keys)
  await inBatches(
    pool,
    `SELECT c.ctid FROM tool_calls c JOIN turns t ON t.id = c.turn_id
     WHERE c.session_key = ANY ($1) AND t.status NOT IN ('queued', 'running')`,
    'tool_calls',
    keys,
  )
  await pool.query(
    `UPDATE turns SET input = jsonb_set(input, '{message}', '""')
     WHERE session_key = ANY ($1) AND status NOT IN ('queued', 'running') AND input ->> 'message' <> ''`,
    [keys],
  )
}

async function inBatches(pool: Pool, found: string, table: 'session_events' | 'tool_calls', keys: string[]) {
  for (;;) {
    const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${found} LIMIT ${BATCH}))`
    const { rowCount } = await pool.query(text, [keys])
    if ((rowCount ?? 0) < BATCH) return
  }
}
