import type { HistoryMessage } from '../message'
import type { Database } from '../../engine/database'
import { MESSAGE } from '../../engine/session-writes'

export type MessageStore = ReturnType<typeof createMessageStore>

export function createMessageStore({ pool }: Database) {
  return {
    /** The newest `limit` before `beforeId`, in the order they were said. */
    async latest(sessionKey: string, page: { limit: number; beforeId?: number }): Promise<HistoryMessage[]> {
      const { rows } = await pool.query<HistoryMessage>(
        `SELECT ${MESSAGE} FROM message_history WHERE session_key = $1 AND ($2::int IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3`,
        [sessionKey, page.beforeId ?? null, page.limit],
      )
      return rows.reverse()
    },
  }
}
