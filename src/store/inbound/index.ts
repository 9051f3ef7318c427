import { v7 as uuidv7 } from 'uuid'
import type { InboundMessage, InboundTask } from '../../contracts/inbound'
import type { Session } from '../../contracts/session'
import type { Database } from '../database'
import { inTransaction } from '../database'
import { receiveInbound, startNextInbound } from './receive'

export type InboundStore = ReturnType<typeof createInboundStore>

/** What platforms handed in: stored first, then answered one after the other in each session. */
export function createInboundStore({ pool }: Database) {
  return {
    receive: (session: Session, message: InboundMessage) => receiveInbound(pool, session, message),

    /** What is to be answered, with the one turn that may answer it. Undefined when that is over. */
    async begin(id: string): Promise<InboundTask | undefined> {
      const { rows } = await pool.query<InboundTask>(
        `UPDATE inbound_messages SET turn_id = coalesce(turn_id, $2) WHERE id = $1 AND state = 'received'
         RETURNING id, session_key AS "sessionKey", bot_uuid AS "botUuid", channel, turn_id AS "turnId",
           sender_id AS "senderId", sender_name AS "senderName", content, message_chain AS chain`,
        [id, uuidv7()],
      )
      return rows[0]
    },

    /** Ends it, with an error when no turn could answer it; the next of its session may go. False if it had ended. */
    end(id: string, error: string | null = null): Promise<boolean> {
      return inTransaction(pool, async (db) => {
        const found = await db.query<{ session_key: string }>(
          `SELECT session_key FROM inbound_messages WHERE id = $1 AND state = 'received'`,
          [id],
        )
        const sessionKey = found.rows[0]?.session_key
        if (sessionKey === undefined) return false
        await db.query('SELECT 1 FROM sessions WHERE session_key = $1 FOR UPDATE', [sessionKey])
        const { rowCount } = await db.query(
          `UPDATE inbound_messages SET state = CASE WHEN $2::text IS NULL THEN 'answered' ELSE 'failed' END,
             error = $2, ended_at = now() WHERE id = $1 AND state = 'received'`,
          [id, error?.slice(0, 200) ?? null],
        )
        if (rowCount === 1) await startNextInbound(db, sessionKey)
        return rowCount === 1
      })
    },

    /** The first unanswered one of each session, when it is that old: its workflow should be there. */
    async listStale(ageSeconds: number, limit: number): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM (
           SELECT DISTINCT ON (session_key) id, received_at FROM inbound_messages WHERE state = 'received'
           ORDER BY session_key, seq
         ) first_of_session
         WHERE received_at < now() - make_interval(secs => $1) ORDER BY random() LIMIT $2`,
        [ageSeconds, limit],
      )
      return rows.map(({ id }) => id)
    },
  }
}
