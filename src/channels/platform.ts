import type { InboundReading, InboundReceipt } from '../contracts/inbound'
import type { ChannelName, JsonObject } from '../contracts/words'
import type { Channel, InboundChannel } from './channel'

export type PlatformName = Exclude<ChannelName, 'web' | 'webhook'>
export type Secrets = Record<string, string>

/** How a bot is set up on a platform. Secrets are opened only when needed, and never shown. */
export interface PlatformAccount {
  botUuid: string
  channel: PlatformName
  settings: JsonObject
  disabledAt: Date | null
  updatedAt: Date
  /** Throws `secret_unreadable`; empty when there is none. */
  secrets(): Secrets
}

/** Where platforms find how a bot is set up. */
export interface PlatformAccounts {
  find(botUuid: string, channel: PlatformName): Promise<PlatformAccount | null>
}

/** What a long-lived connection may do with what it hears. */
export interface ConnectionHands {
  accept(reading: InboundReading): Promise<InboundReceipt>
  /** Says that the connection stands. */
  healthy(): void
  /** How far the platform's own queue was read by whoever held the connection before. */
  cursor: number | null
  saveCursor(cursor: number): Promise<void>
  /** Something learnt about the bot that belongs to its settings, such as its name there. */
  remember(fact: JsonObject): Promise<void>
}

/** One outside platform: how it is set up, how messages leave and come in. A new platform is one of these. */
export interface Platform {
  readonly name: PlatformName
  readonly channel: Channel
  readonly inbound: InboundChannel
  /** What an administrator wants, read: settings to show, secrets to seal. Throws `bad_request` with a hint. */
  configure(wanted: JsonObject, present: { settings: JsonObject; secrets: Secrets } | null): Configured
  /** Holds the long-lived connection until the signal aborts; throws when it breaks. */
  connect(account: PlatformAccount, hands: ConnectionHands, signal: AbortSignal): Promise<void>
}

export interface Configured {
  settings: JsonObject
  secrets: Secrets
}
