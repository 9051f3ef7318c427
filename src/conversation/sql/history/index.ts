import type { ConversationKey, ConversationPlace, HistoryFilter } from '../../history-contract'
import type { Database } from '../../../engine/database'
import type { Words } from '../../../engine/promise-kind'
import { deleteArchived, findOldMessages } from './archive'
import { deleteHistory } from './delete'
import { findInactive } from './inactive'
import type { InactiveFilter } from './inactive'
import { readHistory } from './read'

export type HistoryStore = ReturnType<typeof createHistoryStore>

/** The history as other programs read it (docs/history-and-push.md). */
export function createHistoryStore({ pool }: Database, words: readonly Words[]) {
  return {
    read: (filter: HistoryFilter) => readHistory(pool, filter),
    inactive: (filter: InactiveFilter) => findInactive(pool, filter),
    findOld: (days: number, limit: number) => findOldMessages(pool, days, limit),
    deleteArchived: (ids: readonly number[]) => deleteArchived(pool, ids),
    delete: (key: ConversationKey, evenTasks: boolean) => deleteHistory(pool, words, key, evenTasks),

    /** The sessions a conversation is held in. */
    async sessionsOf({ botUuid, launcherType, launcherId }: ConversationKey): Promise<string[]> {
      const { rows } = await pool.query<{ sessionKey: string }>(
        `SELECT session_key FROM sessions WHERE bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3
           AND deleted_at IS NULL ORDER BY updated_at DESC`,
        [botUuid, launcherType, launcherId],
      )
      return rows.map(({ sessionKey }) => sessionKey)
    },

    /** Where a conversation is held, the latest first, and whether anybody but the bot was heard there. */
    async placesOf({ botUuid, launcherType, launcherId }: ConversationKey): Promise<ConversationPlace[]> {
      const { rows } = await pool.query<ConversationPlace>(
        `SELECT session_key, channel, EXISTS (SELECT 1 FROM message_history m
           WHERE m.session_key = s.session_key AND m.message_role = 'user') AS heard
         FROM sessions s WHERE bot_uuid = $1 AND launcher_type = $2 AND (launcher_id = $3 OR EXISTS (
             SELECT 1 FROM moved_chats c WHERE c.bot_uuid = $1 AND c.channel = s.channel AND c.to_id = $3
               AND c.from_id = s.launcher_id))
           AND deleted_at IS NULL ORDER BY updated_at DESC LIMIT 20`,
        [botUuid, launcherType, launcherId],
      )
      return rows
    },
  }
}
