import { KIND_SCHEDULED_MESSAGE } from '../contracts/temporal'
import type { PromiseItem } from './contract'
import type { Database } from '../engine/database'
import { readKeptFigures } from './kept-figures'
import type { KeptFilter } from './kept-figures'

export interface PromiseFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  state?: string
  dueFrom?: Date
  dueTo?: Date
  limit: number
  /** The last due first; else the next due first. */
  newestFirst?: boolean
}

export type PromiseStore = ReturnType<typeof createPromiseStore>

/** Everything due later, whatever its kind, in one list by due time. */
export function createPromiseStore({ pool }: Database, sql: { every: string; pending: string }) {
  return {
    async list(filter: PromiseFilter): Promise<PromiseItem[]> {
      const { rows } = await pool.query<PromiseItem & { comesAt: Date | null }>(
        `SELECT promise.*, (
           SELECT comes_at(scheduled_messages) FROM scheduled_messages WHERE promise.state = 'pending'
             AND id = CASE promise.kind WHEN '${KIND_SCHEDULED_MESSAGE}' THEN promise.id::uuid END) AS comes_at
         FROM (${sql.every}) promise
         WHERE ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_key = $2)
           AND ($3::text IS NULL OR state = $3) AND ($4::timestamptz IS NULL OR due_at >= $4)
           AND ($5::timestamptz IS NULL OR due_at < $5)
         ORDER BY due_at ${filter.newestFirst ? 'DESC' : 'ASC'}, id LIMIT $6`,
        [
          filter.bots === 'all' ? null : filter.bots,
          filter.sessionKey ?? null,
          filter.state ?? null,
          filter.dueFrom ?? null,
          filter.dueTo ?? null,
          filter.limit,
        ],
      )
      // Quiet hours that are set now will keep some of them back.
      return rows.map(({ comesAt, ...promise }) => (comesAt ? { ...promise, dueAt: comesAt } : promise))
    },

    kept: (filter: KeptFilter) => readKeptFigures(pool, sql.every, filter),

    /** For the metrics: how many of each kind are pending, and how many of those should have been kept a minute ago. */
    async countPending(): Promise<PendingCount[]> {
      const { rows } = await pool.query<PendingCount>(
        `SELECT kind, count(*)::int AS pending, count(*) FILTER (WHERE due_at < now() - interval '60 seconds')::int AS overdue
         FROM (${sql.pending}) promise GROUP BY kind`,
      )
      return rows
    },
  }
}

export interface PendingCount {
  kind: string
  pending: number
  overdue: number
}
