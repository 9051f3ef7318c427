import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { SecretBox } from '../access/secret-box'
import type { JsonObject } from '../contracts/words'
import type { BotChannelStore } from '../store/bot-channel-store'
import type { Configured, PlatformAccount, PlatformAccounts, PlatformName, Secrets } from './platform'

const SecretsSchema = Type.Record(Type.String(), Type.String())

export interface SealedAccounts extends PlatformAccounts {
  save(botUuid: string, channel: PlatformName, configured: Configured): Promise<PlatformAccount>
  remove(botUuid: string, channel: PlatformName): Promise<boolean>
}

export interface AccountRow {
  botUuid: string
  settings: unknown
  secret: string | null
  disabledAt: Date | null
  updatedAt: Date
}

/** Platforms of bots in `bot_channels`, their secrets sealed together in one field. */
export function createPlatformAccounts({ store, box }: { store: BotChannelStore; box: SecretBox }): SealedAccounts {
  const show = (row: AccountRow, channel: PlatformName) => openAccount(box, row, channel)
  return {
    async find(botUuid, channel) {
      const row = await store.find(botUuid, channel)
      return row && show(row, channel)
    },
    async save(botUuid, channel, { settings, secrets }) {
      const secret = box.seal(JSON.stringify(secrets), placeOf(botUuid, channel))
      return show(await store.save(botUuid, channel, { settings, secret }), channel)
    },
    remove: (botUuid, channel) => store.remove(botUuid, channel),
  }
}

export function openAccount(box: SecretBox, row: AccountRow, channel: PlatformName): PlatformAccount {
  const { botUuid, secret, disabledAt, updatedAt } = row
  const secrets = (): Secrets =>
    secret === null ? {} : Value.Parse(SecretsSchema, JSON.parse(box.open(secret, placeOf(botUuid, channel))))
  return { botUuid, channel, settings: toObject(row.settings), disabledAt, updatedAt, secrets }
}

const placeOf = (botUuid: string, channel: PlatformName) => `bot_channels/${botUuid}/${channel}`
const toObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...(value as JsonObject) } : {}
