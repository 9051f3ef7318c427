import { databaseNow } from '../engine/clock'
import type { ApiKey, PrismaClient } from '../engine/generated/client'

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>
export type NewApiKeyRow = Pick<ApiKey, 'name' | 'keyHash' | 'lastFour' | 'scopes' | 'botUuids'>

/** Keys for programs. Only hashes come in and go out. */
export function createApiKeyStore(prisma: Pick<PrismaClient, 'apiKey' | '$queryRaw'>) {
  return {
    /** Prisma would fill in its own process's clock. */
    create: async (key: NewApiKeyRow): Promise<ApiKey> =>
      prisma.apiKey.create({ data: { ...key, createdAt: await databaseNow(prisma) } }),

    /** The key of that hash unless it was revoked. */
    findActive: (keyHash: string): Promise<ApiKey | null> =>
      prisma.apiKey.findFirst({ where: { keyHash, revokedAt: null } }),

    find: (id: string): Promise<ApiKey | null> => prisma.apiKey.findUnique({ where: { id } }),

    list: (): Promise<ApiKey[]> => prisma.apiKey.findMany({ orderBy: { createdAt: 'desc' }, take: 1000 }),

    async touch(id: string): Promise<void> {
      const lastUsedAt = await databaseNow(prisma)
      await prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt } })
    },

    /** The first revocation counts; repeating it changes nothing. */
    async revoke(id: string): Promise<ApiKey | null> {
      const revokedAt = await databaseNow(prisma)
      await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } })
      return prisma.apiKey.findUnique({ where: { id } })
    },
  }
}
