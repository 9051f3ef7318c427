import type { SecretBox } from '../access/secret-box'
import type { PlatformName } from '../contracts/platforms'
import type { JsonObject } from '../contracts/words'
import { AppError } from '../errors'
import type { BotChannelStore } from './bot-channel-store'
import type { Configured, PlatformAccount, PlatformAccounts } from './platform'

export interface SealedAccounts extends PlatformAccounts {
  save(botUuid: string, channel: PlatformName, configured: Configured): Promise<PlatformAccount>
  /** Answers what was removed. */
  remove(botUuid: string, channel: PlatformName): Promise<PlatformAccount | null>
}

export interface AccountRow {
  botUuid: string
  settings: unknown
  secret: string | null
  disabledAt: Date | null
  disabledReason: string | null
  updatedAt: Date
}

/** Platforms of bots in `bot_channels`, their secrets sealed together in one field. */
export function createPlatformAccounts({ store, box }: { store: BotChannelStore; box: SecretBox }): SealedAccounts {
  const show = (row: AccountRow, channel: PlatformName) => openAccount(box, row, channel)
  const find: SealedAccounts['find'] = async (botUuid, channel) => {
    const row = await store.find(botUuid, channel)
    return row && show(row, channel)
  }
  return {
    find,
    async save(botUuid, channel, { settings, secrets }) {
      const secret = box.seal(JSON.stringify(secrets), placeOf(botUuid, channel))
      return show(await store.save(botUuid, channel, { settings, secret }), channel)
    },
    disable: (botUuid, channel, cause) => store.disable(botUuid, channel, cause),
    async remove(botUuid, channel) {
      const present = await find(botUuid, channel)
      return (await store.remove(botUuid, channel)) ? present : null
    },
  }
}

export function openAccount(box: SecretBox, row: AccountRow, channel: PlatformName): PlatformAccount {
  const { botUuid, secret, disabledAt, disabledReason, updatedAt } = row
  const secrets = () => (secret === null ? {} : toObject(JSON.parse(box.open(secret, placeOf(botUuid, channel)))))
  return { botUuid, channel, settings: toObject(row.settings), disabledAt, disabledReason, updatedAt, secrets }
}

/** A secret whose key is lost must not stand in the way of a new one. */
export function readableSecrets(account: PlatformAccount | null): JsonObject {
  try {
    return account?.secrets() ?? {}
  } catch (error) {
    if (error instanceof AppError && error.code === 'secret_unreadable') return {}
    throw error
  }
}

const placeOf = (botUuid: string, channel: PlatformName) => `bot_channels/${botUuid}/${channel}`
const toObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...(value as JsonObject) } : {}
