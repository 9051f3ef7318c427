import type { Delivery, DeliveryState } from '../../contracts/delivery'
import type { Database } from '../database'
import { addSentPart, beginDelivery, completeDelivery, failDeliveryAttempt, giveUpDelivery } from './attempt'
import type { DeliveryAttempt } from './attempt'
import { toDelivery } from './rows'
import type { DeliveryRow } from './rows'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
type Numbered = Pick<DeliveryAttempt, 'id' | 'number'>

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
    complete: (attempt: Numbered, receipt: { platformMessageIds: string[]; degraded: string | null }) =>
      completeDelivery(pool, attempt, receipt),
    failAttempt: (attempt: Numbered, failure: { error: string; final: boolean }) =>
      failDeliveryAttempt(pool, attempt, failure),
    giveUp: (id: string, reason: string) => giveUpDelivery(pool, id, reason),

    async find(id: string): Promise<Delivery | undefined> {
      const { rows } = await pool.query<DeliveryRow>('SELECT * FROM deliveries WHERE id = $1', [id])
      return rows[0] && toDelivery(rows[0])
    },

    /** Newest first. */
    async list(filter: DeliveryFilter): Promise<Delivery[]> {
      const { rows } = await pool.query<DeliveryRow>(
        `SELECT * FROM deliveries
         WHERE ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_key = $2)
           AND ($3::text IS NULL OR state = $3) ORDER BY message_id DESC LIMIT $4`,
        [
          filter.bots === 'all' ? null : filter.bots,
          filter.sessionKey ?? null,
          filter.state ?? null,
          Math.min(filter.limit, 1_000),
        ],
      )
      return rows.map(toDelivery)
    },

    /** The first undecided one of each session, when it is that old: its workflow should be there. */
    async listStale(ageSeconds: number, limit: number): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM (
           SELECT DISTINCT ON (session_key) id, created_at FROM deliveries WHERE state = 'pending'
           ORDER BY session_key, message_id
         ) first_of_session
         WHERE created_at < now() - make_interval(secs => $1) ORDER BY random() LIMIT $2`,
        [ageSeconds, limit],
      )
      return rows.map(({ id }) => id)
    },
  }
}
