import type { Database } from './database'
import { storableText } from './storable'

/** What Temporal still has to be told; a start carries what the workflow needs, and whether it is still wanted. */
export interface OutboxEntry {
  id: number
  kind:
    'start_scheduled_message' | 'start_run' | 'start_delivery' | 'start_inbound' | 'sync_automation' | 'cancel_workflow'
  ref_id: string
  attempts: number
  wanted: boolean
  session_id: string | null
  bot_uuid: string | null
  send_at_ts: Date | null
  timezone: string | null
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

export function createOutboxStore({ pool }: Database) {
  return {
    /** Takes what is ready; who takes an entry has until its next attempt to finish it. */
    async take(limit: number): Promise<OutboxEntry[]> {
      const { rows } = await pool.query<OutboxEntry>(
        `WITH taken AS (
           UPDATE outbox SET attempts = attempts + 1, next_attempt_at = now() + interval '15 seconds'
           WHERE id IN (SELECT id FROM outbox WHERE next_attempt_at <= now() ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
           RETURNING *
         )
         SELECT taken.id, taken.kind, taken.ref_id, taken.attempts,
           coalesce(m.status = 'pending', r.status = 'running', d.state = 'pending', i.state = 'received', false) AS wanted,
           coalesce(m.session_id, r.session_key, d.session_key, i.session_key) AS session_id,
           coalesce(m.bot_uuid, r.bot_uuid, d.bot_uuid, i.bot_uuid) AS bot_uuid,
           m.send_at_ts, coalesce(m.timezone, r.timezone) AS timezone
         FROM taken
         LEFT JOIN scheduled_messages m ON taken.kind = 'start_scheduled_message' AND m.id::text = taken.ref_id
         LEFT JOIN runs r ON taken.kind = 'start_run' AND r.id::text = taken.ref_id
         LEFT JOIN deliveries d ON taken.kind = 'start_delivery' AND d.id::text = taken.ref_id
         LEFT JOIN inbound_messages i ON taken.kind = 'start_inbound' AND i.id::text = taken.ref_id
         ORDER BY taken.id`,
        [limit],
      )
      return rows
    },

    async done(ids: number[]): Promise<void> {
      await pool.query('DELETE FROM outbox WHERE id = ANY ($1::bigint[])', [ids])
    },

    /** Gives back what could not be told, for another try soon. */
    async giveBack(ids: number[], delaySeconds: number, error: string): Promise<void> {
      await pool.query(
        `UPDATE outbox SET last_error = $2, next_attempt_at = now() + make_interval(secs => $3)
         WHERE id = ANY ($1::bigint[])`,
        [ids, storableText(error).slice(0, 500), delaySeconds],
      )
    },

    async size(): Promise<number> {
      const { rows } = await pool.query<{ size: number }>('SELECT count(*) AS size FROM outbox')
      return rows[0]!.size
    },

    /** Temporal has lost its data: everything that is not over is told again; what it still knows counts as started. */
    async requeueAllPending(): Promise<number> {
      const { rowCount } = await pool.query(
        `INSERT INTO outbox (kind, ref_id, next_attempt_at)
         SELECT promised.kind, promised.id, now() FROM (
           SELECT 'start_scheduled_message' AS kind, id::text FROM scheduled_messages WHERE status = 'pending'
           UNION ALL SELECT 'start_run', id::text FROM runs WHERE status = 'running'
           UNION ALL SELECT 'start_delivery', id::text FROM (
             SELECT DISTINCT ON (session_key) id FROM deliveries WHERE state = 'pending' ORDER BY session_key, message_id
           ) first_of_session
           UNION ALL SELECT 'start_inbound', id::text FROM (
             SELECT DISTINCT ON (session_key) id FROM inbound_messages WHERE state = 'received' ORDER BY session_key, seq
           ) first_unanswered
           UNION ALL SELECT 'sync_automation', id::text FROM automations WHERE deleted_at IS NULL AND state <> 'ended'
         ) promised
         WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = promised.kind AND o.ref_id = promised.id)`,
      )
      return rowCount ?? 0
    },

    async requeue(kind: Exclude<OutboxEntry['kind'], 'cancel_workflow'>, id: string): Promise<void> {
      await pool.query(
        `INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT $1::text, $2::text, now()
         WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = $1 AND o.ref_id = $2)`,
        [kind, id],
      )
    },
  }
}
