import type { Pool } from 'pg'
import type { ScheduledMessage } from '../../contracts/scheduled-message'
import type { ScheduledMessageStatus } from '../../contracts/words'
import { toScheduledMessage } from './rows'
import type { ScheduledMessageRow } from './rows'

export interface ScheduledMessageFilter {
  bots: 'all' | readonly string[]
  sessionKey?: string
  status?: ScheduledMessageStatus
  dueFrom?: Date
  dueTo?: Date
  limit: number
  offset?: number
}

export async function findScheduledMessage(pool: Pool, id: string): Promise<ScheduledMessage | null> {
  const { rows } = await pool.query<ScheduledMessageRow>('SELECT * FROM scheduled_messages WHERE id = $1', [id])
  return rows[0] ? toScheduledMessage(rows[0]) : null
}

/** By due time; what is over comes newest first. */
export async function listScheduledMessages(pool: Pool, filter: ScheduledMessageFilter): Promise<ScheduledMessage[]> {
  const direction = filter.status === undefined || filter.status === 'pending' ? 'ASC' : 'DESC'
  const { rows } = await pool.query<ScheduledMessageRow>(
    `SELECT * FROM scheduled_messages
     WHERE ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR session_id = $2)
       AND ($3::text IS NULL OR status = $3) AND ($4::timestamptz IS NULL OR send_at_ts >= $4)
       AND ($5::timestamptz IS NULL OR send_at_ts < $5)
     ORDER BY send_at_ts ${direction}, id ${direction} LIMIT $6 OFFSET $7`,
    [
      filter.bots === 'all' ? null : filter.bots,
      filter.sessionKey ?? null,
      filter.status ?? null,
      filter.dueFrom ?? null,
      filter.dueTo ?? null,
      filter.limit,
      filter.offset ?? 0,
    ],
  )
  return rows.map(toScheduledMessage)
}

/** What should have been sent a while ago and was not; the reconciler asks Temporal about each. */
export async function listOverdue(pool: Pool, graceSeconds: number, limit: number): Promise<ScheduledMessage[]> {
  const { rows } = await pool.query<ScheduledMessageRow>(
    `SELECT * FROM scheduled_messages WHERE status = 'pending' AND send_at_ts < now() - make_interval(secs => $1)
     ORDER BY send_at_ts LIMIT $2`,
    [graceSeconds, limit],
  )
  return rows.map(toScheduledMessage)
}

/** Of these ids, the ones that are (not) pending any more. */
export async function filterByPending(pool: Pool, ids: string[], pending: boolean): Promise<ScheduledMessage[]> {
  const { rows } = await pool.query<ScheduledMessageRow>(
    `SELECT * FROM scheduled_messages WHERE id = ANY ($1::uuid[]) AND (status = 'pending') = $2`,
    [ids, pending],
  )
  return rows.map(toScheduledMessage)
}
