import type { JsonObject } from '../contracts/words'
import { databaseNow } from '../engine/clock'
import type { PipelineRow, PrismaClient } from '../engine/generated/client'

export type PipelineStore = ReturnType<typeof createPipelineStore>
export interface PipelineFields {
  name: string
  base: string
  instructions: string
  overlays: JsonObject
  tools: string[]
  model: string | null
  toolsForStrangers?: boolean
}

/** Agent profiles made by administrators, beside those that ship. */
export function createPipelineStore(prisma: Pick<PrismaClient, 'pipelineRow' | 'bot' | '$queryRaw'>) {
  return {
    find: (uuid: string): Promise<PipelineRow | null> => prisma.pipelineRow.findUnique({ where: { uuid } }),
    list: (): Promise<PipelineRow[]> => prisma.pipelineRow.findMany({ orderBy: { createdAt: 'asc' }, take: 1000 }),

    /** Null when the uuid is taken. */
    async create(row: PipelineFields & { uuid: string }): Promise<PipelineRow | null> {
      const [created] = await prisma.pipelineRow.createManyAndReturn({ data: [row], skipDuplicates: true })
      return created ?? null
    },

    async update(uuid: string, change: Partial<PipelineFields>): Promise<PipelineRow | null> {
      const [updated] = await prisma.pipelineRow.updateManyAndReturn({
        where: { uuid },
        data: { ...change, updatedAt: await databaseNow(prisma) },
      })
      return updated ?? null
    },

    async remove(uuid: string): Promise<boolean> {
      const { count } = await prisma.pipelineRow.deleteMany({ where: { uuid } })
      return count > 0
    },

    isUsed: async (uuid: string): Promise<boolean> =>
      (await prisma.bot.count({ where: { pipelineUuid: uuid, deletedAt: null } })) > 0,
  }
}
