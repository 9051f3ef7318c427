import type { Delivery, DeliveryState } from '../../contracts/delivery'
import type { Database } from '../../engine/database'
import { addSentPart, beginDelivery } from './attempt'
import { completeDelivery, DELIVERY, failDeliveryAttempt, giveUpDelivery } from './decide'
import type { AttemptFailure, AttemptRef } from './decide'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export interface DeliveryFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  state?: DeliveryState
  limit: number
}

/** Messages on their way out, as verbs. */
export function createDeliveryStore({ pool }: Database) {
  return {
    begin: (id: string, idempotent: boolean) => beginDelivery(pool, id, idempotent),
    addPart: (id: string, platformMessageId: string) => addSentPart(pool, id, platformMessageId),
    complete: (attempt: AttemptRef, receipt: { platformMessageIds: string[]; degraded: string | null }) =>
      completeDelivery(pool, attempt, receipt),
    failAttempt: (attempt: AttemptRef, failure: AttemptFailure) => failDeliveryAttempt(pool, attempt, failure),
    giveUp: (id: string, reason: string) => giveUpDelivery(pool, id, reason),

    async find(id: string): Promise<Delivery | undefined> {
      const { rows } = await pool.query<Delivery>(`SELECT ${DELIVERY} FROM deliveries WHERE id = $1`, [id])
      return rows[0]
    },

    /** Newest first. */
    async list(filter: DeliveryFilter): Promise<Delivery[]> {
      const { rows } = await pool.query<Delivery>(
        `SELECT ${DELIVERY} FROM deliveries
         WHERE ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_key = $2)
           AND ($3::text IS NULL OR state = $3) ORDER BY seq DESC LIMIT $4`,
        [
          filter.bots === 'all' ? null : filter.bots,
          filter.sessionKey ?? null,
          filter.state ?? null,
          Math.min(filter.limit, 1_000),
        ],
      )
      return rows
    },
  }
}
