import { databaseNow } from '../engine/clock'
import type { ApiKey, PrismaClient } from '../engine/generated/client'

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>
export type NewApiKeyRow = Pick<ApiKey, 'name' | 'keyHash' | 'lastFour' | 'scopes' | 'botUuids'>

/** Keys for programs. Only hashes come in and go out. */
export function createApiKeyStore(prisma: Pick<PrismaClient, 'apiKey' | '$queryRaw'>) {
  return {
    create: (key: NewApiKeyRow): Promise<ApiKey> => prisma.apiKey.create({ data: key }),

    /** The key of that hash unless it was revoked. */
    findActive: (keyHash: string): Promise<ApiKey | null> =>
      prisma.apiKey.findFirst({ where: { keyHash, revokedAt: null } }),

    find: (id: string): Promise<ApiKey | null> => prisma.apiKey.findUnique({ where: { id } }),

    list: (): Promise<ApiKey[]> => prisma.apiKey.findMany({ orderBy: { createdAt: 'desc' }, take: 1000 }),

    async touch(id: string, usedAt: Date): Promise<void> {
      await prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt: usedAt } })
    },

    /** The first revocation counts; repeating it changes nothing. */
    async revoke(id: string): Promise<ApiKey | null> {
      const revokedAt = await databaseNow(prisma)
      await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } })
      return prisma.apiKey.findUnique({ where: { id } })
    },
  }
}
