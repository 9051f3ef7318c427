import type { HistoryMessage } from '../contracts/message'
import type { MessageChain } from '../contracts/message-chain'
import type { AnswerType, JsonObject, JsonValue, SourceKind } from '../contracts/words'

export interface MessageRow {
  id: number
  session_key: string
  turn_id: string | null
  message_role: 'user' | 'assistant'
  sender_id: string
  message_content: string
  message_chain: MessageChain
  type: AnswerType
  payload: JsonValue | null
  source_kind: SourceKind
  metadata: JsonObject
  created_at: Date
}

export function toMessage(row: MessageRow): HistoryMessage {
  return {
    id: row.id,
    sessionKey: row.session_key,
    turnId: row.turn_id,
    role: row.message_role,
    senderId: row.sender_id,
    content: row.message_content,
    chain: row.message_chain,
    type: row.type,
    payload: row.payload,
    sourceKind: row.source_kind,
    metadata: row.metadata,
    createdAt: row.created_at,
  }
}
