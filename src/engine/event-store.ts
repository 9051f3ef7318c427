import type { SessionEvent } from '../contracts/event'
import type { Database } from './database'

export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore({ pool }: Database) {
  return {
    async after(sessionKey: string, seq: number, limit: number): Promise<SessionEvent[]> {
      const { rows } = await pool.query<SessionEvent>(
        'SELECT session_key, seq, name, data, created_at FROM session_events WHERE session_key = $1 AND seq > $2 ORDER BY seq LIMIT $3',
        [sessionKey, seq, limit],
      )
      return rows
    },

    /** Lowest and highest number still kept; both 0 when there is none. */
    async bounds(sessionKey: string): Promise<{ first: number; last: number }> {
      const { rows } = await pool.query<{ first: number; last: number }>(
        `SELECT coalesce(min(e.seq), 0) AS first, coalesce(max(s.event_seq), 0) AS last
         FROM sessions s LEFT JOIN LATERAL (
           SELECT seq FROM session_events WHERE session_key = s.session_key ORDER BY seq LIMIT 1
         ) e ON true WHERE s.session_key = $1`,
        [sessionKey],
      )
      return rows[0]!
    },

    /** Old events are only for reconnects; the rows they point at stay. Bounded, so that a pass stays short. */
    async prune(olderThanDays: number, limit: number): Promise<number> {
      const { rowCount } = await pool.query(
        `DELETE FROM session_events WHERE ctid IN (
           SELECT ctid FROM session_events WHERE created_at < now() - make_interval(days => $1) LIMIT $2)`,
        [olderThanDays, limit],
      )
      return rowCount ?? 0
    },
  }
}
