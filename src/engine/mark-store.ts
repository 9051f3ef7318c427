import { databaseNow } from './clock'
import type { Database } from './database'

export type MarkStore = ReturnType<typeof createMarkStore>

/** Small facts that the reconciler keeps from one pass to the next. */
export function createMarkStore({ prisma, pool }: Pick<Database, 'prisma' | 'pool'>) {
  async function readText(name: string): Promise<string | null> {
    const mark = await prisma.reconcilerMark.findUnique({ where: { name } })
    return typeof mark?.value === 'string' ? mark.value : null
  }

  /** Null forgets it. */
  async function writeText(name: string, value: string | null): Promise<void> {
    if (value === null) await prisma.reconcilerMark.deleteMany({ where: { name } })
    else {
      const update = { value, updatedAt: await databaseNow(prisma) }
      await prisma.reconcilerMark.upsert({ where: { name }, create: { name, value }, update })
    }
  }

  return {
    readText,
    writeText,
    async readTime(name: string): Promise<Date | null> {
      const text = await readText(name)
      return text === null ? null : new Date(text)
    },
    /** What tells this database, and the installation on it, from every other one: made once, then kept. */
    async installation(): Promise<string> {
      const { rows } = await pool.query<{ value: string }>(
        `INSERT INTO reconciler_marks (name, value) VALUES ('installation', to_jsonb(gen_random_uuid()::text))
         ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value`,
      )
      return rows[0]!.value
    },
    writeTime: (name: string, time: Date) => writeText(name, time.toISOString()),
  }
}
