import type { Database } from './database'

/** All rules about time use one clock: PostgreSQL's. */
export function createClock({ pool }: Database) {
  return {
    async now(): Promise<Date> {
      const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
      return rows[0]!.now
    },
  }
}
