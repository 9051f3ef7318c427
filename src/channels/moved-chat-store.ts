import { databaseNow } from '../engine/clock'
import type { ChatMove } from './inbound/contract'
import type { ChannelName } from '../contracts/words'
import type { PrismaClient } from '../engine/generated/client'

export type MovedChatStore = ReturnType<typeof createMovedChatStore>

/** Chats that their platform has given another id. A session keeps the id under which it was opened. */
export function createMovedChatStore(prisma: Pick<PrismaClient, 'movedChat' | '$queryRaw'>) {
  return {
    async save(botUuid: string, channel: ChannelName, { from, to }: ChatMove): Promise<void> {
      const key = { botUuid, channel, fromId: from }
      await prisma.movedChat.upsert({
        where: { botUuid_channel_fromId: key },
        create: { ...key, toId: to },
        update: { toId: to, movedAt: await databaseNow(prisma) },
      })
    },

    /** Where a chat is reached now. */
    async reachedBy(botUuid: string, channel: ChannelName, id: string): Promise<string> {
      const key = { botUuid, channel, fromId: id }
      const moved = await prisma.movedChat.findUnique({ where: { botUuid_channel_fromId: key } })
      return moved?.toId ?? id
    },

    /** The id under which a chat is known here, by any bot and on any channel unless they are said. */
    async knownAs(id: string, where: { botUuid?: string; channel?: ChannelName }): Promise<string> {
      const moved = await prisma.movedChat.findFirst({ where: { ...where, toId: id } })
      return moved?.fromId ?? id
    },

    async forget(botUuid: string): Promise<void> {
      await prisma.movedChat.deleteMany({ where: { botUuid } })
    },
  }
}
