import { databaseNow } from '../engine/clock'
import { createRecent } from '../engine/recent'
import type { Bot, PrismaClient } from '../engine/generated/client'

/** What an administrator may change of a bot. */
export interface BotChange {
  name?: string
  pipelineUuid?: string
  allow?: 'everyone' | 'listed'
  people?: string[]
  dailyTokens?: bigint | null
  dailyTokensPerPerson?: bigint | null
}

/** How long a bot is remembered for turns; what another process changes of it is heard after this. */
const REMEMBER_MS = 1_000

export type BotStore = ReturnType<typeof createBotStore>

/** Identities that talk, in the order they were made; the first one a caller may see is their default. */
export function createBotStore(prisma: Pick<PrismaClient, 'bot' | '$queryRaw'>) {
  const recent = createRecent<Bot | null>(REMEMBER_MS)
  const find = (uuid: string): Promise<Bot | null> => prisma.bot.findFirst({ where: { uuid, deletedAt: null } })
  return {
    count: (): Promise<number> => prisma.bot.count(),

    /** Null when the uuid is taken, also by a bot that was deleted. */
    async create(bot: { uuid: string; name: string; pipelineUuid?: string }): Promise<Bot | null> {
      const [created] = await prisma.bot.createManyAndReturn({ data: [bot], skipDuplicates: true })
      return created ?? null
    },

    find,

    /** The bot as it was a moment ago: for what each turn asks anew, not for who may do what. */
    findKnown: (uuid: string): Promise<Bot | null> => recent.get(uuid, () => find(uuid)),

    async update(uuid: string, change: BotChange): Promise<Bot | null> {
      const [updated] = await prisma.bot.updateManyAndReturn({ where: { uuid, deletedAt: null }, data: change })
      recent.forget(uuid)
      return updated ?? null
    },

    /** Its rows stay; it is no longer spoken to. */
    async remove(uuid: string): Promise<boolean> {
      const data = { deletedAt: await databaseNow(prisma) }
      recent.forget(uuid)
      return (await prisma.bot.updateMany({ where: { uuid, deletedAt: null }, data })).count > 0
    },

    list: (bots: 'all' | readonly string[]): Promise<Bot[]> =>
      prisma.bot.findMany({
        where: { deletedAt: null, ...(bots === 'all' ? {} : { uuid: { in: [...bots] } }) },
        orderBy: [{ createdAt: 'asc' }, { uuid: 'asc' }],
        take: 1000,
      }),
  }
}
