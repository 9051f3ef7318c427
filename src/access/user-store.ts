import { databaseNow } from '../engine/clock'
import type { PrismaClient, User } from '../engine/generated/client'

export type UserStore = ReturnType<typeof createUserStore>

/** People and the links that sign them in once. Works on a client and inside a transaction. */
export function createUserStore(prisma: Pick<PrismaClient, 'user' | 'signInToken' | '$queryRaw'>) {
  return {
    count: (): Promise<number> => prisma.user.count(),

    findByName: (username: string): Promise<User | null> =>
      prisma.user.findFirst({ where: { username, disabledAt: null } }),

    find: (id: string): Promise<User | null> => prisma.user.findFirst({ where: { id, disabledAt: null } }),

    create: (user: { username: string; passwordHash: string }): Promise<User> => prisma.user.create({ data: user }),

    async addSignInToken({ validMs, ...token }: { tokenHash: string; userId: string; validMs: number }): Promise<void> {
      const expiresAt = new Date((await databaseNow(prisma)).getTime() + validMs)
      await prisma.signInToken.create({ data: { ...token, expiresAt } })
    },

    /** One conditional update decides who used the link; the second gets null. */
    async useSignInToken(tokenHash: string): Promise<string | null> {
      const now = await databaseNow(prisma)
      const { count } = await prisma.signInToken.updateMany({
        where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
        data: { usedAt: now },
      })
      if (count === 0) return null
      const token = await prisma.signInToken.findUnique({ where: { tokenHash } })
      return token?.userId ?? null
    },
  }
}
