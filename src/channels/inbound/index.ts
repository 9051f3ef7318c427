import { v7 as uuidv7 } from 'uuid'
import type { InboundMessage, InboundTask } from './contract'
import type { Session } from '../../conversation/session'
import type { Database } from '../../engine/database'
import { giveUpInbound, noteUnexpected } from './give-up'
import { endInbound, receiveInbound } from './receive'

export type InboundStore = ReturnType<typeof createInboundStore>

/** What platforms handed in: stored first, then answered one after the other in each session. */
export function createInboundStore({ pool }: Database) {
  return {
    receive: (session: Session, message: InboundMessage) => receiveInbound(pool, session, message),

    /** What is to be answered, with the one turn that may answer it. Undefined when that is over. */
    async begin(id: string): Promise<InboundTask | undefined> {
      const { rows } = await pool.query<InboundTask>(
        `UPDATE inbound_messages SET turn_id = coalesce(turn_id, $2) WHERE id = $1 AND state = 'received'
         RETURNING id, session_key, bot_uuid, channel, turn_id, sender_id, sender_name, content, message_chain AS chain`,
        [id, uuidv7()],
      )
      return rows[0]
    },

    noteUnexpected: (id: string) => noteUnexpected(pool, id),
    giveUp: (task: InboundTask, error: string) => giveUpInbound(pool, task, error),
    end: (id: string, error: string | null = null) => endInbound(pool, id, error),
  }
}
