import type { ChannelName, JsonObject } from '../contracts/words'
import { databaseNow } from '../engine/clock'
import type { BotChannel, PrismaClient } from '../engine/generated/client'

export type BotChannelStore = ReturnType<typeof createBotChannelStore>

/** How a bot reaches people on an outside channel. `secret` is sealed by whoever hands it in. */
export function createBotChannelStore(prisma: Pick<PrismaClient, 'botChannel' | '$queryRaw'>) {
  const key = (botUuid: string, channel: ChannelName) => ({ botUuid_channel: { botUuid, channel } })
  return {
    find: (botUuid: string, channel: ChannelName): Promise<BotChannel | null> =>
      prisma.botChannel.findUnique({ where: key(botUuid, channel) }),

    /** The names of those that are not turned off. */
    async listEnabled(botUuid: string): Promise<string[]> {
      const rows = await prisma.botChannel.findMany({ where: { botUuid, disabledAt: null }, select: { channel: true } })
      return rows.map(({ channel }) => channel)
    },

    /** Setting a channel also turns it on again. */
    async save(
      botUuid: string,
      channel: ChannelName,
      wanted: { settings: JsonObject; secret: string },
    ): Promise<BotChannel> {
      const data = { ...wanted, disabledAt: null, disabledReason: null, updatedAt: await databaseNow(prisma) }
      return prisma.botChannel.upsert({
        where: key(botUuid, channel),
        create: { botUuid, channel, ...data },
        update: data,
      })
    },

    /** Only while it still points at `url`: what an old address answered says nothing about a new one. */
    async disable(botUuid: string, channel: ChannelName, cause: { url: string; reason: string }): Promise<boolean> {
      const now = await databaseNow(prisma)
      const { count } = await prisma.botChannel.updateMany({
        where: { botUuid, channel, disabledAt: null, settings: { path: ['url'], equals: cause.url } },
        data: { disabledAt: now, disabledReason: cause.reason, updatedAt: now },
      })
      return count > 0
    },

    async remove(botUuid: string, channel: ChannelName): Promise<boolean> {
      const { count } = await prisma.botChannel.deleteMany({ where: { botUuid, channel } })
      return count > 0
    },
  }
}
