import type { Pool } from 'pg'
import type { JsonObject } from '../../../contracts/words'

export interface OldMessages {
  ids: number[]
  /** Every column of each, oldest first. */
  rows: JsonObject[]
}

/** The oldest messages that are past their time. */
export async function findOldMessages(pool: Pool, days: number, limit: number): Promise<OldMessages> {
  const { rows } = await pool.query<{ id: number; row: JsonObject }>(
    `SELECT m.id, to_jsonb(m) AS row FROM message_history m WHERE m.created_at < now() - make_interval(days => $1)
     ORDER BY m.created_at, m.id LIMIT $2`,
    [days, limit],
  )
  return { ids: rows.map(({ id }) => id), rows: rows.map(({ row }) => row) }
}

/** Only what was named, which is what was written down before. */
export async function deleteArchived(pool: Pool, ids: readonly number[]): Promise<number> {
  const { rowCount } = await pool.query('DELETE FROM message_history WHERE id = ANY ($1::int[])', [ids])
  return rowCount ?? 0
}
