import type { Caller } from '../contracts/caller'
import { unauthorized } from '../errors'
import type { ApiKey, User } from '../engine/generated/client'
import type { AccessStores } from './access'
import { hashSecret, hasValidChecksum } from './api-key'
import { verifyPassword, wasteTimeOn } from './password'
import { createRecent } from '../engine/recent'
import { expandScopes } from './scopes'

/** What a request brought: the person of a verified token, or a key that nothing is known of yet. */
export type Credential = { kind: 'user'; userId: string } | { kind: 'api_key'; key: string }

export interface Authentication {
  login(username: string, password: string): Promise<User>
  /** A sign-in link's token works once. */
  loginWithToken(token: string): Promise<User>
  /** Throws `unauthorized` for a key or person that is unknown, revoked or disabled. */
  authenticate(credential: Credential): Promise<Caller>
}

/** A stream looks every 2 s whether its key still counts; with this it ends within 5 s of a revocation. */
const REMEMBER_MS = 2_000
const TOUCH_EVERY_MS = 60_000

export function createAuthentication({
  users,
  keys,
}: AccessStores): Authentication & { forgetKey(hash: string): void } {
  const recentKeys = createRecent<ApiKey | null>(REMEMBER_MS)
  // Each process by its own stopwatch: no clock is compared with another.
  const recentTouches = createRecent<void>(TOUCH_EVERY_MS)
  const recentUsers = createRecent<User | null>(REMEMBER_MS)

  async function loadKey(keyHash: string): Promise<ApiKey | null> {
    const key = await keys.findActive(keyHash)
    if (key) await recentTouches.get(key.id, () => keys.touch(key.id))
    return key
  }

  return {
    async login(username, password) {
      const user = await users.findByName(username)
      if (!user) await wasteTimeOn(password)
      if (!user || !(await verifyPassword(user.passwordHash, password))) {
        throw unauthorized('the name or the password is wrong')
      }
      return user
    },

    async loginWithToken(token) {
      const userId = await users.useSignInToken(hashSecret(token))
      const user = userId === null ? null : await users.find(userId)
      if (!user) throw unauthorized('this sign-in link was used or is too old', 'Sign in with name and password.')
      return user
    },

    async authenticate(credential) {
      if (credential.kind === 'user') {
        const user = await recentUsers.get(credential.userId, () => users.find(credential.userId))
        if (!user) throw unauthorized('this account is gone')
        return userCaller(user)
      }
      if (!hasValidChecksum(credential.key)) throw unauthorized('this API key is not valid')
      const keyHash = hashSecret(credential.key)
      const key = await recentKeys.get(keyHash, () => loadKey(keyHash))
      if (!key) throw unauthorized('this API key is not valid')
      return keyCaller(key)
    },

    forgetKey: (keyHash) => recentKeys.forget(keyHash),
  }
}

function userCaller(user: User): Caller {
  const scopes = expandScopes([user.role === 'admin' ? 'admin' : 'send'])
  return { kind: 'user', id: user.id, name: user.username, scopes, bots: 'all' }
}

function keyCaller(key: ApiKey): Caller {
  const bots = key.botUuids.length === 0 ? 'all' : key.botUuids
  return { kind: 'api_key', id: key.id, name: key.name, scopes: expandScopes(key.scopes), bots }
}
