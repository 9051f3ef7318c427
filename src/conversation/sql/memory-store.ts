import type { HistoryMessage } from '../message'
import type { Database } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { lockSession, MESSAGE } from '../../engine/session-writes'
import { storableText } from '../../engine/storable'

export interface SessionMemory {
  summary: string
  uptoMessageId: number
}

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** The summary of everything in a long conversation that the planner is no longer shown word by word. */
export function createMemoryStore({ pool }: Database) {
  return {
    async find(sessionKey: string): Promise<SessionMemory | null> {
      const { rows } = await pool.query<SessionMemory>(
        'SELECT summary, upto_message_id FROM session_memories WHERE session_key = $1',
        [sessionKey],
      )
      return rows[0] ?? null
    },

    /** Whose memory it is. */
    async botOf(sessionKey: string): Promise<string | undefined> {
      const { rows } = await pool.query<{ botUuid: string }>('SELECT bot_uuid FROM sessions WHERE session_key = $1', [
        sessionKey,
      ])
      return rows[0]?.botUuid
    },

    /** Sessions in which at least `atLeast` messages are neither among the newest `keep` nor in the summary. */
    async listLong(keep: number, atLeast: number, limit: number): Promise<string[]> {
      const { rows } = await pool.query<{ sessionKey: string }>(
        `SELECT s.session_key FROM sessions s LEFT JOIN session_memories m USING (session_key)
         WHERE s.deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM message_history h WHERE h.session_key = s.session_key AND h.id > coalesce(m.upto_message_id, 0)
           OFFSET $1::int + $2::int - 1 LIMIT 1)
         ORDER BY s.updated_at DESC LIMIT $3`,
        [keep, atLeast, limit],
      )
      return rows.map(({ sessionKey }) => sessionKey)
    },

    /** What the summary does not hold yet, oldest first, without the newest `keep`. */
    async listForgotten(sessionKey: string, keep: number, limit: number): Promise<HistoryMessage[]> {
      const { rows } = await pool.query<HistoryMessage>(
        `SELECT ${MESSAGE} FROM message_history WHERE session_key = $1
           AND id > coalesce((SELECT upto_message_id FROM session_memories WHERE session_key = $1), 0)
           AND id < coalesce((SELECT id FROM message_history WHERE session_key = $1 ORDER BY id DESC OFFSET $2::int - 1 LIMIT 1), 0)
         ORDER BY id LIMIT $3`,
        [sessionKey, keep, limit],
      )
      return rows
    },

    /** Keeps a summary, unless another one got further meanwhile, or what it was made of has been forgotten since. */
    async write(sessionKey: string, memory: SessionMemory): Promise<boolean> {
      return inTransaction(pool, async (db) => {
        await lockSession(db, sessionKey)
        const { rowCount } = await db.query(
          `INSERT INTO session_memories (session_key, summary, upto_message_id)
           SELECT $1::varchar, $2::text, $3::int
           WHERE EXISTS (SELECT 1 FROM message_history WHERE session_key = $1::varchar AND id = $3::int)
           ON CONFLICT (session_key) DO UPDATE SET summary = excluded.summary, upto_message_id = excluded.upto_message_id,
             updated_at = now() WHERE session_memories.upto_message_id < excluded.upto_message_id`,
          [sessionKey, storableText(memory.summary), memory.uptoMessageId],
        )
        return rowCount === 1
      })
    },
  }
}
