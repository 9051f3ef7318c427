import type { MessageChain } from '../contracts/message-chain'
import type { InboundReading } from '../contracts/inbound'
import type { Session } from '../contracts/session'
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

/** How a message reaches a person on an outside platform. Throws ChannelFailure; one place retries. */
export interface Channel {
  readonly name: ChannelName
  /** Whether the platform drops a repeated id by itself. */
  readonly idempotent: boolean
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
  constructor(
    readonly code: string,
    readonly mayPass: boolean,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message)
    this.name = 'ChannelFailure'
  }
}
