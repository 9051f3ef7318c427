import { OUTBOX_WAKE, SESSION_CHANNEL } from '../../contracts/event'
import type { Queryable } from '../../engine/database'

/** What the outbox calls it when the schedule of an automation is to be told. */
export const SYNC_AUTOMATION = 'sync_automation'

/** The Temporal Schedule is to be made what the row says; who tells it reads the row then. */
export async function tellSchedule(db: Queryable, id: string): Promise<void> {
  await db.query(
    `WITH told AS (INSERT INTO outbox (kind, ref_id, next_attempt_at) VALUES ('${SYNC_AUTOMATION}', $1, now()))
     SELECT pg_notify('${SESSION_CHANNEL}', '${OUTBOX_WAKE}')`,
    [id],
  )
}
