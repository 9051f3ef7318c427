import type { MessageChain } from '../contracts/message-chain'
import type { AnswerType, JsonObject, JsonValue, SourceKind } from '../contracts/words'

/** A row of `message_history` as the product speaks of it. */
export interface HistoryMessage {
  id: number
  sessionKey: string
  turnId: string | null
  role: 'user' | 'assistant'
  senderId: string
  /** How the chain reads as text. */
  content: string
  chain: MessageChain
  type: AnswerType
  payload: JsonValue | null
  sourceKind: SourceKind
  metadata: JsonObject
  createdAt: Date
}

/** What a caller gives to have a message stored; the rest follows from the session. */
export interface NewMessage {
  role: 'user' | 'assistant'
  senderId: string
  content: string
  /** Its parts; absent when it is only its text. */
  chain?: MessageChain
  sourceKind: SourceKind
  sourceRef?: string
  turnId?: string
  /** Another pipeline than the session's. */
  pipelineUuid?: string
  type?: AnswerType
  payload?: JsonValue | null
  metadata?: JsonObject
  /** False when the person gets it another way: in an HTTP answer, or because the channel has it already. */
  deliver?: boolean
}
