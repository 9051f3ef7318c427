import type { HistoryMessage } from '../contracts/message'
import type { Database } from './database'
import { inTransaction } from './database'
import { toMessage } from './message-rows'
import type { MessageRow } from './message-rows'
import { lockSession } from './session-writes'
import { storableText } from './storable'

export interface SessionMemory {
  summary: string
  uptoMessageId: number
}

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** The summary of everything in a long conversation that the planner is no longer shown word by word. */
export function createMemoryStore({ pool }: Database) {
  return {
    async find(sessionKey: string): Promise<SessionMemory | null> {
      const { rows } = await pool.query<{ summary: string; upto_message_id: number }>(
        'SELECT summary, upto_message_id FROM session_memories WHERE session_key = $1',
        [sessionKey],
      )
      return rows[0] ? { summary: rows[0].summary, uptoMessageId: rows[0].upto_message_id } : null
    },

    /** Sessions in which at least `atLeast` messages are neither among the newest `keep` nor in the summary. */
    async listLong(keep: number, atLeast: number, limit: number): Promise<string[]> {
      const { rows } = await pool.query<{ session_key: string }>(
        `SELECT s.session_key FROM sessions s LEFT JOIN session_memories m USING (session_key)
         WHERE s.deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM message_history h WHERE h.session_key = s.session_key AND h.id > coalesce(m.upto_message_id, 0)
           OFFSET $1::int + $2::int - 1 LIMIT 1)
         ORDER BY s.updated_at DESC LIMIT $3`,
        [keep, atLeast, limit],
      )
      return rows.map(({ session_key }) => session_key)
    },

    /** What the summary does not hold yet, oldest first, without the newest `keep`. */
    async listForgotten(sessionKey: string, keep: number, limit: number): Promise<HistoryMessage[]> {
      const { rows } = await pool.query<MessageRow>(
        `SELECT * FROM message_history WHERE session_key = $1
           AND id > coalesce((SELECT upto_message_id FROM session_memories WHERE session_key = $1), 0)
           AND id < coalesce((SELECT id FROM message_history WHERE session_key = $1 ORDER BY id DESC OFFSET $2::int - 1 LIMIT 1), 0)
         ORDER BY id LIMIT $3`,
        [sessionKey, keep, limit],
      )
      return rows.map(toMessage)
    },

    /** Keeps a summary, unless another one got further meanwhile. */
    async write(sessionKey: string, memory: SessionMemory): Promise<boolean> {
      return inTransaction(pool, async (db) => {
        await lockSession(db, sessionKey)
        const { rowCount } = await db.query(
          `INSERT INTO session_memories (session_key, summary, upto_message_id) VALUES ($1, $2, $3)
           ON CONFLICT (session_key) DO UPDATE SET summary = excluded.summary, upto_message_id = excluded.upto_message_id,
             updated_at = now() WHERE session_memories.upto_message_id < excluded.upto_message_id`,
          [sessionKey, storableText(memory.summary), memory.uptoMessageId],
        )
        return rowCount === 1
      })
    },
  }
}
