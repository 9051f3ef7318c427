import type { AnswerType, JsonObject, JsonValue, SourceKind } from './words'

/** A row of `message_history` as the product speaks of it. */
export interface HistoryMessage {
  id: number
  sessionKey: string
  turnId: string | null
  role: 'user' | 'assistant'
  senderId: string
  content: string
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
  sourceKind: SourceKind
  sourceRef?: string
  turnId?: string
  type?: AnswerType
  payload?: JsonValue | null
  metadata?: JsonObject
  /** False when the person gets it another way: in an HTTP answer, or because the channel has it already. */
  deliver?: boolean
}
