import type { Database, Queryable } from './database'
import type { PrismaClient } from './generated/client'

/** All rules about time use one clock: PostgreSQL's. */
export function createClock({ pool }: Database) {
  let waiting: Promise<Date> | undefined

  /** Who asks while a question still waits for a connection shares its answer: it is read after they asked. */
  async function ask(): Promise<Date> {
    const client = await pool.connect().finally(() => (waiting = undefined))
    try {
      const now = await readClock(client)
      client.release()
      return now
    } catch (error) {
      client.release(error instanceof Error ? error : true)
      throw error
    }
  }

  return { now: (): Promise<Date> => (waiting ??= ask()) }
}

/** The same clock, asked within a transaction of Prisma. */
export async function databaseNow(prisma: Pick<PrismaClient, '$queryRaw'>): Promise<Date> {
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`
  return row!.now
}

/** The same, asked within a transaction. */
export async function readClock(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  return rows[0]!.now
}

/** How late it is for what was due then, by the one measure of lateness. */
export async function readLateness(db: Queryable, dueAt: Date): Promise<number> {
  const { rows } = await db.query<{ late: number }>('SELECT late_ms($1) AS late', [dueAt])
  return rows[0]!.late
}
