import type { InboundMessage, InboundTask } from './contract'
import type { Session } from '../../conversation/session'
import type { Database } from '../../engine/database'
import { giveUpInbound, noteUnexpected } from './give-up'
import { beginInbound, endInbound, receiveInbound } from './receive'

export type InboundStore = ReturnType<typeof createInboundStore>

/** What platforms handed in: stored first, then answered one after the other in each session. */
export function createInboundStore({ pool }: Database) {
  return {
    receive: (session: Session, message: InboundMessage) => receiveInbound(pool, session, message),

    begin: (id: string) => beginInbound(pool, id),

    noteUnexpected: (id: string) => noteUnexpected(pool, id),
    giveUp: (task: InboundTask, error: string) => giveUpInbound(pool, task, error),
    end: (id: string, error: string | null = null) => endInbound(pool, id, error),
  }
}
