import type { PromiseItem } from '../contracts/promise'
import type { Database } from './database'
import { SUMMARY_CHARACTERS } from './scheduled-messages/rows'

export interface PromiseFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  state?: string
  dueFrom?: Date
  dueTo?: Date
  limit: number
}

export type PromiseStore = ReturnType<typeof createPromiseStore>

/** Everything due later, whatever its kind, in one list by due time. */
export function createPromiseStore({ pool }: Database) {
  return {
    async list(filter: PromiseFilter): Promise<PromiseItem[]> {
      const { rows } = await pool.query<PromiseItem>(
        `SELECT 'scheduled_message' AS kind, id, session_id AS session_key, bot_uuid, send_at_ts AS due_at, status AS state,
           left(message_text, ${SUMMARY_CHARACTERS}) AS summary, 'scheduled-message/' || id AS workflow_id, late_by_ms
         FROM scheduled_messages
         WHERE ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_id = $2)
           AND ($3::text IS NULL OR status = $3) AND ($4::timestamptz IS NULL OR send_at_ts >= $4)
           AND ($5::timestamptz IS NULL OR send_at_ts < $5)
         ORDER BY send_at_ts, id LIMIT $6`,
        [
          filter.bots === 'all' ? null : filter.bots,
          filter.sessionKey ?? null,
          filter.state ?? null,
          filter.dueFrom ?? null,
          filter.dueTo ?? null,
          filter.limit,
        ],
      )
      return rows
    },

    /** For the metrics: how many are pending, and how many of those should have been kept a minute ago. */
    async countByState(): Promise<Record<string, number>> {
      const { rows } = await pool.query<{ pending: number; overdue: number }>(
        `SELECT count(*) AS pending, count(*) FILTER (WHERE send_at_ts < now() - interval '60 seconds') AS overdue
         FROM scheduled_messages WHERE status = 'pending'`,
      )
      return { ...rows[0]! }
    },
  }
}
