import type { ChatMove, InboundReading, InboundReceipt } from './inbound/contract'
import type { PlatformName } from '../contracts/platforms'
import type { JsonObject } from '../contracts/words'
import type { Channel, InboundChannel } from './channel'

/** How a bot is set up on a platform. Secrets are opened only when needed, and never shown. */
export interface PlatformAccount {
  botUuid: string
  channel: PlatformName
  settings: JsonObject
  disabledAt: Date | null
  disabledReason: string | null
  updatedAt: Date
  /** Throws `secret_unreadable`; empty when there is none. */
  secrets(): JsonObject
}

/** Where platforms find how a bot is set up. */
export interface PlatformAccounts {
  find(botUuid: string, channel: PlatformName): Promise<PlatformAccount | null>
  /** Turns it off while it still points at `url`; answers whether it did. */
  disable(botUuid: string, channel: PlatformName, cause: { url: string; reason: string }): Promise<boolean>
}

/** Where chats are reached that their platform has given another id. */
export interface MovedChats {
  reachedBy(botUuid: string, channel: PlatformName, id: string): Promise<string>
  save(botUuid: string, channel: PlatformName, move: ChatMove): Promise<void>
}

/** What a long-lived connection may do with what it hears. */
export interface ConnectionContext {
  accept(reading: InboundReading): Promise<InboundReceipt>
  /** For a platform that tells an event once: keeps it, and tries until it is stored. */
  keep(reading: InboundReading): void
  /** Says that the connection stands. */
  healthy(): void
  /** How far the platform's own queue was read by whoever held the connection before. */
  cursor: number | null
  saveCursor(cursor: number): Promise<void>
  /** Something learnt about the bot that belongs to its settings, such as its name there. */
  remember(fact: JsonObject): Promise<void>
}

/** One outside platform: how it is set up, how messages leave and come in. */
export interface Platform {
  readonly name: PlatformName
  readonly channel: Channel
  readonly inbound: InboundChannel
  /** Two connections at once do no harm: what is heard twice is stored once. */
  readonly mayOverlap?: boolean
  /** What an administrator wants, read: settings to show, secrets to seal. Throws `bad_request` with a hint. */
  configure(wanted: JsonObject, present: PlatformAccount | null): Configured | Promise<Configured>
  /** Holds the long-lived connection until the signal aborts; throws when it breaks. */
  connect?(account: PlatformAccount, context: ConnectionContext, signal: AbortSignal): Promise<void>
  /** Tells the platform that the bot is taken off it. */
  leave?(account: PlatformAccount, signal: AbortSignal): Promise<void>
}

export interface Configured {
  settings: JsonObject
  secrets: JsonObject
  /** A secret that was made just now, to be shown this once. */
  madeSecret?: string | null
  /** How long the secret that was replaced still counts. */
  previousSecretUntil?: Date | null
}
