import type { Caller } from '../contracts/caller'
import { notFound } from '../errors'
import type { BotPlatforms, PlatformView } from '../http/front-door'
import type { ChannelHealth, ChannelLeaseStore } from '../store/channel-lease-store'
import type { Platform, PlatformAccount, PlatformName } from './platform'
import type { SealedAccounts } from './platform-accounts'

export interface BotPlatformsParts {
  requireBot(caller: Caller, botUuid: string): Promise<void>
  accounts: SealedAccounts
  platforms: readonly Platform[]
  leases: Pick<ChannelLeaseStore, 'health'>
}

/** Sets how a bot is reached on Telegram, OneBot and whatever platform comes. */
export function createBotPlatforms({ requireBot, accounts, platforms, leases }: BotPlatformsParts): BotPlatforms {
  const platformOf = (name: PlatformName): Platform => {
    const found = platforms.find((platform) => platform.name === name)
    if (!found) throw notFound(`platform ${name}`)
    return found
  }
  const healthOf = async (botUuid: string, channel: PlatformName) =>
    (await leases.health(botUuid)).find((item) => item.channel === channel)

  return {
    async set(caller, botUuid, name, wanted) {
      await requireBot(caller, botUuid)
      const present = await accounts.find(botUuid, name)
      const before = present && { settings: present.settings, secrets: readable(present) }
      const configured = platformOf(name).configure(wanted, before)
      return show(await accounts.save(botUuid, name, configured), await healthOf(botUuid, name))
    },

    async get(caller, botUuid, name) {
      await requireBot(caller, botUuid)
      const account = await accounts.find(botUuid, name)
      if (!account) throw notFound(`${name} of bot ${botUuid}`, 'Set it with PUT.')
      return show(account, await healthOf(botUuid, name))
    },

    async remove(caller, botUuid, name) {
      await requireBot(caller, botUuid)
      if (!(await accounts.remove(botUuid, name))) throw notFound(`${name} of bot ${botUuid}`)
    },

    async list(caller, botUuid) {
      await requireBot(caller, botUuid)
      return leases.health(botUuid)
    },
  }
}

/** A secret whose key is lost must not stand in the way of a new one. */
function readable(account: PlatformAccount): Record<string, string> {
  try {
    return account.secrets()
  } catch {
    return {}
  }
}

const show = (account: PlatformAccount, health: ChannelHealth | undefined): PlatformView => ({
  settings: account.settings,
  health: health?.health ?? 'idle',
  detail: health?.detail ?? null,
  updatedAt: account.updatedAt,
})
