import type { Database } from './database'

/** All rules about time use one clock: PostgreSQL's. */
export function createClock({ pool }: Database) {
  let waiting: Promise<Date> | undefined

  /** Who asks while a question still waits for a connection shares its answer: it is read after they asked. */
  async function ask(): Promise<Date> {
    const client = await pool.connect().finally(() => (waiting = undefined))
    try {
      const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now')
      client.release()
      return rows[0]!.now
    } catch (error) {
      client.release(error instanceof Error ? error : true)
      throw error
    }
  }

  return { now: (): Promise<Date> => (waiting ??= ask()) }
}
