import type { PromiseItem } from '../contracts/promise'
import type { Database } from './database'
import { readKeptFigures } from './kept-figures'
import type { KeptFilter } from './kept-figures'
import { SUMMARY_CHARACTERS } from './scheduled-messages/rows'

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

/** The filters of the list reach into each part and use its own index. */
const EVERY_KIND = `
  SELECT 'scheduled_message' AS kind, id::text, session_id AS session_key, bot_uuid, send_at_ts AS due_at, status AS state,
    left(message_text, ${SUMMARY_CHARACTERS}) AS summary, 'scheduled-message/' || id AS workflow_id, late_by_ms
  FROM scheduled_messages
  UNION ALL
  SELECT 'run', r.id::text, r.session_key, r.bot_uuid, s.feedback_at,
    CASE WHEN r.status = 'cancelled' THEN 'cancelled' WHEN s.status <> 'reported' THEN 'pending'
      WHEN (s.result ->> 'success')::boolean THEN 'sent' ELSE 'failed' END,
    left(coalesce(s.reason, s.ai_name), ${SUMMARY_CHARACTERS}), 'run/' || r.id, s.late_by_ms
  FROM runs r JOIN run_steps s ON s.run_id = r.id WHERE s.feedback_at IS NOT NULL
  UNION ALL
  SELECT 'automation', id::text, session_key, bot_uuid, coalesce(next_run_at, updated_at),
    CASE state WHEN 'active' THEN 'pending' WHEN 'ended' THEN 'ended' ELSE 'paused' END,
    left(name, ${SUMMARY_CHARACTERS}), 'automation/' || id, NULL
  FROM automations WHERE deleted_at IS NULL
  UNION ALL
  SELECT 'automation_run', r.id, r.session_key, r.bot_uuid, r.scheduled_at,
    CASE WHEN r.state IN ('queued', 'running') THEN 'pending' WHEN r.state IN ('succeeded', 'empty') THEN 'sent' ELSE r.state END,
    left(a.name, ${SUMMARY_CHARACTERS}), coalesce(r.workflow_id, 'automation-run/' || r.automation_id), r.late_by_ms
  FROM automation_runs r JOIN automations a ON a.id = r.automation_id`

/** Everything due later, whatever its kind, in one list by due time. */
export function createPromiseStore({ pool }: Database) {
  return {
    async list(filter: PromiseFilter): Promise<PromiseItem[]> {
      const { rows } = await pool.query<PromiseItem>(
        `SELECT * FROM (${EVERY_KIND}) promise
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
      return rows
    },

    kept: (filter: KeptFilter) => readKeptFigures(pool, EVERY_KIND, filter),

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
