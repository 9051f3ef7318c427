import type { MessageChain } from '../contracts/message-chain'
import type { InboundReading } from './inbound/contract'
import type { Session } from '../conversation/session'
import type { ChannelName } from '../contracts/words'

export interface OutgoingMessage {
  /** The same over all retries, so that a receiver can drop what it has seen. */
  id: string
  session: Session
  /** How the chain reads as text. */
  text: string
  /** The parts of the message; absent when it is only its text. */
  chain?: MessageChain
  sourceKind: string
  /** The platform's id of the message that this one answers. */
  replyTo?: string | null
  /** Parts of a long message that the platform has from an earlier try, by its ids. */
  sentParts?: readonly string[]
  /** Told after each part of a long message, so that a later try goes on behind it. */
  onPart?: (platformMessageId: string) => Promise<void>
}

export interface Receipt {
  /** What the platform calls the message, if it says. */
  platformMessageId: string | null
  /** All of them, when it went in several parts. */
  platformMessageIds?: string[]
  /** What the platform could not show and got as text instead. */
  degraded?: string | null
}

/** A place to make one call from, to be given back; or how long until one may be free. */
export type Entry = { release(): void } | { waitMs: number }

/** How a message reaches a person on an outside platform. Throws ChannelFailure; one place retries. */
export interface Channel {
  readonly name: ChannelName
  /** Whether the platform drops a repeated id by itself. */
  readonly idempotent: boolean
  /** Asked before each try. Never waits: who finds no place comes back later, and holds nothing meanwhile. */
  enter(session: Session): Entry
  /** Called only by who has a place. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Receipt>
}

/** What a platform sent over HTTP, as it came: signatures are over the bytes. */
export interface PlatformRequest {
  headers: Record<string, string | undefined>
  body: string
}

/** How a platform hands in what people say. Throws `unauthorized` unless the request proves where it comes from. */
export interface InboundChannel {
  readonly name: ChannelName
  read(botUuid: string, request: PlatformRequest): Promise<InboundReading>
}

/** A failure that may pass (try again, after `retryAfterMs` if given) or that cannot. Its message holds no text of people. */
export class ChannelFailure extends Error {
  readonly retryAfterMs: number | undefined
  /** The request may have reached the platform, although its answer never reached us. */
  readonly uncertain: boolean

  constructor(
    readonly code: string,
    readonly mayPass: boolean,
    message: string,
    more: { retryAfterMs?: number; uncertain?: boolean } = {},
  ) {
    super(message)
    this.name = 'ChannelFailure'
    this.retryAfterMs = more.retryAfterMs
    this.uncertain = more.uncertain ?? false
  }
}
