import { createRecent } from '../engine/recent'
import type { PlatformAccount, PlatformAccounts } from './platform'

const ABSENT_FOR_MS = 1_000

/** For requests that have proved nothing yet: that a bot is not on a platform is remembered for a moment. */
export function forStrangers(accounts: Pick<PlatformAccounts, 'find'>): Pick<PlatformAccounts, 'find'> {
  const recent = createRecent<PlatformAccount | null>(ABSENT_FOR_MS, 1_000)
  return {
    find(botUuid, channel) {
      const key = `${channel}/${botUuid}`
      return recent.get(key, async () => {
        const found = await accounts.find(botUuid, channel)
        // A change of what is there counts at once.
        if (found) recent.forget(key)
        return found
      })
    },
  }
}
