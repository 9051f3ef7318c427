import { OUTBOX_BELL, SESSION_CHANNEL } from '../../contracts/event'
import type { Queryable } from '../database'

/** The Temporal Schedule is to be made what the row says; who tells it reads the row then. */
export async function tellSchedule(db: Queryable, id: string): Promise<void> {
  await db.query(
    `WITH told AS (INSERT INTO outbox (kind, ref_id, next_attempt_at) VALUES ('sync_automation', $1, now()))
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_BELL}')`,
    [id],
  )
}
