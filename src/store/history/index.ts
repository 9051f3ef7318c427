import type { ConversationKey, HistoryFilter } from '../../contracts/history'
import type { Database } from '../database'
import { deleteArchived, findOldMessages } from './archive'
import { deleteHistory } from './delete'
import { findInactive } from './inactive'
import type { InactiveFilter } from './inactive'
import { readHistory } from './read'

export type HistoryStore = ReturnType<typeof createHistoryStore>

/** The table of seed 4 for other programs. */
export function createHistoryStore({ pool }: Database) {
  return {
    read: (filter: HistoryFilter) => readHistory(pool, filter),
    inactive: (filter: InactiveFilter) => findInactive(pool, filter),
    findOld: (days: number, limit: number) => findOldMessages(pool, days, limit),
    deleteArchived: (ids: readonly number[]) => deleteArchived(pool, ids),
    delete: (key: ConversationKey) => deleteHistory(pool, key),

    /** The sessions a conversation is held in. */
    async sessionsOf({ botUuid, launcherType, launcherId }: ConversationKey): Promise<string[]> {
      const { rows } = await pool.query<{ session_key: string }>(
        `SELECT session_key FROM sessions WHERE bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3
           AND deleted_at IS NULL ORDER BY updated_at DESC`,
        [botUuid, launcherType, launcherId],
      )
      return rows.map(({ session_key: sessionKey }) => sessionKey)
    },
  }
}
