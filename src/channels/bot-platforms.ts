import type { Logger } from 'pino'
import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import { PLATFORM_NAMES } from '../contracts/platforms'
import type { PlatformName } from '../contracts/platforms'
import { errorCode, notFound } from '../errors'
import type { JsonObject } from '../contracts/words'
import type { BotStore } from '../access/bot-store'
import type { ChannelHealth, ChannelLeaseStore } from './channel-lease-store'
import type { MovedChatStore } from './moved-chat-store'
import type { Platform, PlatformAccount } from './platform'
import type { SealedAccounts } from './platform-accounts'

const LEAVE_WITHIN_MS = 5_000

export interface BotPlatformsParts {
  bots: Pick<BotStore, 'find'>
  accounts: SealedAccounts
  platforms: readonly Platform[]
  leases: Pick<ChannelLeaseStore, 'health'>
  movedChats: Pick<MovedChatStore, 'forget'>
  logger?: Logger
}

export interface PlatformView {
  settings: JsonObject
  disabledAt: Date | null
  disabledReason: string | null
  health: string
  detail: string | null
  updatedAt: Date
}

/** How a bot is reached on each platform. Throws `not_found` for a bot the caller may not see. */
export interface BotPlatforms {
  requireBot(caller: Caller, botUuid: string): Promise<void>
  /** `madeSecret` is in this answer only when it was made just now, and never again. */
  set(
    caller: Caller,
    botUuid: string,
    platform: PlatformName,
    wanted: JsonObject,
  ): Promise<PlatformView & { madeSecret: string | null; previousSecretUntil: Date | null }>
  get(caller: Caller, botUuid: string, platform: PlatformName): Promise<PlatformView>
  remove(caller: Caller, botUuid: string, platform: PlatformName): Promise<void>
  /** Takes a bot that is deleted off every platform. */
  removeAll(botUuid: string): Promise<void>
  list(caller: Caller, botUuid: string): Promise<{ channel: string; health: string; detail: string | null }[]>
}

/** Sets how a bot is reached on each platform. A bot the caller may not see is as good as absent. */
export function createBotPlatforms(parts: BotPlatformsParts): BotPlatforms {
  const { bots, accounts, platforms, leases, movedChats, logger } = parts
  const platformOf = (name: PlatformName): Platform => {
    const found = platforms.find((platform) => platform.name === name)
    if (!found) throw notFound(`platform ${name}`)
    return found
  }
  const healthOf = async (botUuid: string, channel: PlatformName) =>
    (await leases.health(botUuid)).find((item) => item.channel === channel)

  async function requireBot(caller: Caller, uuid: string): Promise<void> {
    if (!maySeeBot(caller, uuid) || !(await bots.find(uuid))) throw notFound(`bot ${uuid}`)
  }

  /** The secret is gone first. A platform that cannot be told goes on calling, and is refused. */
  async function remove(botUuid: string, name: PlatformName): Promise<boolean> {
    const removed = await accounts.remove(botUuid, name)
    if (!removed) return false
    const leaving = platformOf(name).leave?.(removed, AbortSignal.timeout(LEAVE_WITHIN_MS))
    await leaving?.catch((error: unknown) =>
      logger?.warn({ botUuid, channel: name, code: errorCode(error) }, 'a platform could not be told of a removal'),
    )
    return true
  }

  return {
    requireBot,

    async set(caller, botUuid, name, wanted) {
      await requireBot(caller, botUuid)
      const configured = await platformOf(name).configure(wanted, await accounts.find(botUuid, name))
      const account = await accounts.save(botUuid, name, configured)
      const { madeSecret = null, previousSecretUntil = null } = configured
      return { ...show(account, await healthOf(botUuid, name)), madeSecret, previousSecretUntil }
    },

    async get(caller, botUuid, name) {
      await requireBot(caller, botUuid)
      const account = await accounts.find(botUuid, name)
      if (!account) throw notFound(`${name} of bot ${botUuid}`, 'Set it with PUT.')
      return show(account, await healthOf(botUuid, name))
    },

    async remove(caller, botUuid, name) {
      await requireBot(caller, botUuid)
      if (!(await remove(botUuid, name))) throw notFound(`${name} of bot ${botUuid}`)
    },

    async removeAll(botUuid) {
      await Promise.all(PLATFORM_NAMES.map((name) => remove(botUuid, name)))
      await movedChats.forget(botUuid)
    },

    async list(caller, botUuid) {
      await requireBot(caller, botUuid)
      return leases.health(botUuid)
    },
  }
}

const show = (account: PlatformAccount, health: ChannelHealth | undefined): PlatformView => ({
  settings: account.settings,
  disabledAt: account.disabledAt,
  disabledReason: account.disabledReason,
  health: health?.health ?? 'idle',
  detail: health?.detail ?? null,
  updatedAt: account.updatedAt,
})
