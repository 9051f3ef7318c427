import type { Pool } from 'pg'
import type { ConversationKey } from '../../history-contract'
import { inTransaction } from '../../../engine/database'
import type { Words } from '../../../engine/promise-kind'
import { deleteInBatches, forgetSessions } from '../forget'
import { forgetConversation, OF_CONVERSATION } from './forget-conversation'

export interface Forgotten {
  deleted: number
  /** Where it was said. */
  sessionKeys: string[]
}

/**
 * Forgets what was said in a conversation until now, in batches. What comes meanwhile stays, and so does what is still
 * promised or meant to be done, unless `evenTasks`: then the person's tasks go as well.
 */
export async function deleteHistory(
  pool: Pool,
  words: readonly Words[],
  key: ConversationKey,
  evenTasks: boolean,
): Promise<Forgotten> {
  const values = [key.botUuid, key.launcherType, key.launcherId]
  const last = await pool.query<{ id: number }>(
    `SELECT coalesce(max(id), 0) AS id FROM message_history WHERE ${OF_CONVERSATION}`,
    values,
  )
  const until = [...values, last.rows[0]!.id]
  const deleted = await deleteInBatches(pool, 'message_history', `${OF_CONVERSATION} AND id <= $4`, until)
  await inTransaction(pool, (db) => forgetConversation(db, values))
  const { rows } = await pool.query<{ sessionKey: string }>(
    `SELECT session_key FROM sessions WHERE ${OF_CONVERSATION}`,
    values,
  )
  const sessionKeys = rows.map(({ sessionKey }) => sessionKey)
  await forgetSessions(pool, words, sessionKeys)
  if (evenTasks) await deleteInBatches(pool, 'tasks', OF_CONVERSATION, values)
  return { deleted, sessionKeys }
}
