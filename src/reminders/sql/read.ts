import type { Pool } from 'pg'
import type { Queryable } from '../../engine/database'
import type { ScheduledMessage, ScheduledSourceKind } from '../contract'
import type { ChannelName, FollowUp, ScheduledMessageStatus } from '../../contracts/words'
import { READ, toScheduledMessage } from './rows'
import type { ScheduledMessageRow } from './rows'

export interface ScheduledMessageFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  status?: ScheduledMessageStatus
  sourceKind?: ScheduledSourceKind
  /** Also those that were sent and wait to be said again. */
  withRepeating?: boolean
  dueFrom?: Date
  dueTo?: Date
  limit: number
  offset?: number
}

export async function findScheduledMessage(db: Queryable, id: string): Promise<ScheduledMessage | null> {
  const { rows } = await db.query<ScheduledMessageRow>(`SELECT ${READ} FROM scheduled_messages WHERE id = $1`, [id])
  return rows[0] ? toScheduledMessage(rows[0]) : null
}

export interface DueStatus {
  status: ScheduledMessageStatus
  channel: ChannelName
  /** Until it is due by the database's clock; not above zero when it is. */
  waitMs: number
  /** Since quiet hours have moved it. */
  dueAtMs: number | null
  followUp: FollowUp | null
  /** Whether it is said until it is done. */
  untilDone: boolean
}

/** What a workflow that wakes must know, and no more: many wake at once. */
export async function findDueStatus(pool: Pool, id: string): Promise<DueStatus | undefined> {
  const { rows } = await pool.query<DueStatus>({
    name: 'find-due-status',
    text: `SELECT status, channel, ceil(1000 * extract(epoch FROM send_at_ts - clock_timestamp()))::float8 AS wait_ms,
             CASE WHEN deferred_from IS NOT NULL THEN round(1000 * extract(epoch FROM send_at_ts))::float8 END AS due_at_ms,
             follow_up, repeat_seconds IS NOT NULL AS until_done
           FROM scheduled_messages WHERE id = $1`,
    values: [id],
  })
  return rows[0]
}

export interface Burst {
  /** One of them, due at the last of their instants. */
  id: string
  instant: Date
  waitMs: number
}

/** Web messages that come due together, within the same tenth of a second, so many at least. */
export async function listBursts(pool: Pool, withinMs: number, atLeast: number): Promise<Burst[]> {
  const { rows } = await pool.query<Burst>({
    name: 'list-herds',
    text: `SELECT (array_agg(id ORDER BY send_at_ts DESC))[1] AS id, max(send_at_ts) AS instant,
             ceil(1000 * extract(epoch FROM max(send_at_ts) - clock_timestamp()))::float8 AS wait_ms
           FROM scheduled_messages
           WHERE status = 'pending' AND channel = 'web' AND send_at_ts > now()
             AND send_at_ts <= now() + make_interval(secs => $1)
           GROUP BY date_bin('100 ms', send_at_ts, 'epoch') HAVING count(*) >= $2`,
    values: [withinMs / 1_000, atLeast],
  })
  return rows
}

/** By due time; what is over comes newest first. */
export async function listScheduledMessages(pool: Pool, filter: ScheduledMessageFilter): Promise<ScheduledMessage[]> {
  const direction = filter.status === undefined || filter.status === 'pending' ? 'ASC' : 'DESC'
  const { rows } = await pool.query<ScheduledMessageRow>(
    `SELECT ${READ} FROM scheduled_messages
     WHERE ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_id = $2)
       AND ($3::text IS NULL OR status = $3 OR ($9 AND next_repeat_at IS NOT NULL)) AND ($4::timestamptz IS NULL OR send_at_ts >= $4)
       AND ($5::timestamptz IS NULL OR send_at_ts < $5) AND ($8::text IS NULL OR source_kind = $8)
     ORDER BY send_at_ts ${direction}, id ${direction} LIMIT $6 OFFSET $7`,
    [
      filter.bots === 'all' ? null : filter.bots,
      filter.sessionKey ?? null,
      filter.status ?? null,
      filter.dueFrom ?? null,
      filter.dueTo ?? null,
      filter.limit,
      filter.offset ?? 0,
      filter.sourceKind ?? null,
      filter.withRepeating ?? false,
    ],
  )
  return rows.map(toScheduledMessage)
}
