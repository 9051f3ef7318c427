import type { MessageChain } from '../../contracts/message-chain'
import type { ChannelName, JsonObject, Language, LauncherType } from '../../contracts/words'

/** What every platform's message is read into; the rest of the product knows no platform. */
export interface InboundMessage {
  /** The platform's own id: the same one again is the same message. */
  externalId: string
  launcherType: LauncherType
  launcherId: string
  senderId: string
  senderName?: string
  chain: MessageChain
  /** The platform's id of the message that an answer refers to. */
  replyTo?: string
  /** The button that was pressed. */
  action?: string
  timezone?: string
  language?: Language
}

/** Why a message of a platform is none for us. */
export type IgnoredReason = 'own_message' | 'not_addressed' | 'no_content'

/** What a platform handed in, read: messages to answer, or why there is none. */
export type InboundReading =
  | { messages: InboundMessage[]; ignored?: undefined; moved?: undefined }
  | { messages: []; ignored: IgnoredReason; moved?: ChatMove }

/** A chat that its platform has given another id. */
export interface ChatMove {
  from: string
  to: string
}

export interface InboundReceipt {
  received: boolean
  duplicate: boolean
  ignored: IgnoredReason | null
  sessionKey: string | null
}

/** One that is stored and waits for its turn. */
export interface InboundTask {
  id: string
  sessionKey: string
  botUuid: string
  channel: ChannelName
  turnId: string
  senderId: string
  senderName: string | null
  content: string
  chain: MessageChain
  action: string | null
}

export const inboundWorkflowId = (id: string) => `inbound/${id}`

/** Ids only: no text of a person goes to Temporal. */
export interface InboundInput {
  id: string
}

/** What is kept of who said it. */
export const metadataOf = ({ senderName }: InboundTask): JsonObject =>
  senderName === null ? {} : { sender_name: senderName }
