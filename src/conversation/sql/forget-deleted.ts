import type { Pool } from 'pg'
import { inTransaction } from '../../engine/database'
import type { SessionEndings } from './delete-session'
import { deleteInBatches, forgetSessions } from './forget'
import { forgetConversation } from './history/forget-conversation'

/** Two may be at it, and each take rows that the other counted on. */
const ROUNDS = 20

/** Forgets all of a session that was deleted. Until that is done its key does not begin anew. */
export async function forgetDeleted(
  pool: Pool,
  { words }: Pick<SessionEndings, 'words'>,
  sessionKey: string,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await deleteInBatches(pool, 'message_history', 'session_key = $1', [sessionKey])
    await forgetSessions(pool, words, [sessionKey], true)
    if (await markForgotten(pool, sessionKey)) return
  }
}

/** False while something is left of it. */
function markForgotten(pool: Pool, sessionKey: string): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ conversation: string[]; isLeft: boolean }>(
      `SELECT ARRAY[bot_uuid, launcher_type, launcher_id]::text[] AS conversation,
         EXISTS (SELECT 1 FROM message_history WHERE session_key = $1)
           OR EXISTS (SELECT 1 FROM session_events WHERE session_key = $1) AS is_left
       FROM sessions WHERE session_key = $1 AND deleted_at IS NOT NULL AND forgotten_at IS NULL FOR UPDATE`,
      [sessionKey],
    )
    if (!rows[0]) return true
    if (rows[0].isLeft) return false
    await forgetConversation(db, rows[0].conversation)
    await db.query('UPDATE sessions SET forgotten_at = now() WHERE session_key = $1', [sessionKey])
    return true
  })
}
