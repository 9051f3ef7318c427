import type { Database } from './database'

export type MarkStore = ReturnType<typeof createMarkStore>

/** Small facts that the reconciler keeps from one pass to the next. */
export function createMarkStore({ prisma }: Database) {
  return {
    async readTime(name: string): Promise<Date | null> {
      const mark = await prisma.reconcilerMark.findUnique({ where: { name } })
      return typeof mark?.value === 'string' ? new Date(mark.value) : null
    },
    async writeTime(name: string, time: Date): Promise<void> {
      const value = time.toISOString()
      await prisma.reconcilerMark.upsert({
        where: { name },
        create: { name, value },
        update: { value, updatedAt: new Date() },
      })
    },
  }
}
