import type { Pool } from 'pg'
import { ON_TIME_WITHIN_MS } from './contract'

export interface KeptFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  hours: number
}

export interface KeptFigures {
  from: Date
  to: Date
  onTimeWithinMs: number
  due: number
  kept: number
  onTime: number
  failed: number
  overdue: number
  cancelled: number
  medianLateMs: number | null
  worstLateMs: number | null
}

/**
 * An automation itself is only its next run; its past ones are counted as runs, and one that was missed was not kept.
 * Counted over all of the window by PostgreSQL's clock: a page that lists only the newest still shows the whole.
 */
export async function readKeptFigures(pool: Pool, everyKind: string, filter: KeptFilter): Promise<KeptFigures> {
  const { rows } = await pool.query<KeptFigures>(
    `SELECT now() - make_interval(hours => $3) AS "from", now() AS "to", ${ON_TIME_WITHIN_MS} AS on_time_within_ms,
       count(*) FILTER (WHERE state <> 'cancelled')::int AS due,
       count(*) FILTER (WHERE state = 'sent')::int AS kept,
       count(*) FILTER (WHERE state = 'sent' AND coalesce(late_by_ms, 0) <= ${ON_TIME_WITHIN_MS})::int AS on_time,
       count(*) FILTER (WHERE state IN ('failed', 'missed'))::int AS failed,
       count(*) FILTER (WHERE state = 'pending')::int AS overdue,
       count(*) FILTER (WHERE state = 'cancelled')::int AS cancelled,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY late_by_ms) FILTER (WHERE state = 'sent')::int AS median_late_ms,
       max(late_by_ms) FILTER (WHERE state = 'sent')::int AS worst_late_ms
     FROM (${everyKind}) promise
     WHERE kind <> 'automation' AND ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_key = $2)
       AND due_at >= now() - make_interval(hours => $3) AND due_at < now()`,
    [filter.bots === 'all' ? null : filter.bots, filter.sessionKey ?? null, filter.hours],
  )
  return rows[0]!
}
