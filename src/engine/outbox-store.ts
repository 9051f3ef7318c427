import type { Database, Queryable } from './database'
import { kindQueries } from './kind-store'
import { startOf } from './promise-kind'
import type { PromiseKind } from './promise-kind'
import { storableText } from './storable'

/** What Temporal still has to be told: `start_<kind>` of a row, `sync_automation`, or `cancel_workflow` by its id. */
export interface OutboxEntry {
  id: number
  kind: string
  refId: string
  attempts: number
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** SQL: the workflows of `rows`, which have an `id`, are to be started, with the commit of whoever runs it. */
export const startSql = (kind: string, rows: string) =>
  `INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT '${startOf(kind)}', id, now() FROM ${rows}`

/** Asks workflows to end, with the commit of whoever ends what they keep. */
export async function cancelWorkflows(db: Queryable, workflowIds: string[]): Promise<void> {
  await db.query(
    `INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT 'cancel_workflow', ref, now() FROM unnest($1::text[]) AS ref`,
    [workflowIds],
  )
}

/** `wantedToo` is SQL for what Temporal must be told of besides the rows of the kinds: `kind, id`. */
export function createOutboxStore(
  { pool }: Pick<Database, 'pool'>,
  { kinds, wantedToo }: { kinds: readonly PromiseKind[]; wantedToo: readonly string[] },
) {
  const everythingWanted = [...kinds.map((kind) => kindQueries(kind).wanted), ...wantedToo].join(' UNION ALL ')
  return {
    /** Takes what is ready; who takes an entry has until its next attempt to finish it. */
    async take(limit: number): Promise<OutboxEntry[]> {
      const { rows } = await pool.query<OutboxEntry>(
        `WITH taken AS (
           UPDATE outbox SET attempts = attempts + 1, next_attempt_at = now() + interval '15 seconds'
           WHERE id = ANY (ARRAY(
             SELECT id FROM outbox WHERE next_attempt_at <= now() ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED))
           RETURNING id, kind, ref_id, attempts
         )
         SELECT * FROM taken ORDER BY id`,
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
         SELECT promised.kind, promised.id, now() FROM (${everythingWanted}) promised
         WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = promised.kind AND o.ref_id = promised.id)`,
      )
      return rowCount ?? 0
    },

    /** False when it waits to be told already. */
    async requeue(kind: string, id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `INSERT INTO outbox (kind, ref_id, next_attempt_at) SELECT $1::text, $2::text, now()
         WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = $1 AND o.ref_id = $2)`,
        [kind, id],
      )
      return rowCount === 1
    },
  }
}
