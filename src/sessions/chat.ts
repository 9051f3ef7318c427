import type { MessageChain } from '../contracts/message-chain'
import type { Session } from '../contracts/session'
import type { ToolCallRecord } from '../contracts/tool'
import type { AnswerType, JsonObject, JsonValue } from '../contracts/words'

export interface ChatInput {
  message: string
  senderId: string
  metadata?: JsonObject
  /** Its parts; absent when it is only its text. */
  chain?: MessageChain
  /** It came in through the session's channel: the answer leaves there too. */
  viaChannel?: boolean
  /** Given when the same turn may have been begun before, by a holder that died. */
  turnId?: string
}

/** What a caller can watch while its turn waits and runs. */
export interface TurnListener {
  onTurn?: (event: { turn_id: string; state: 'queued' | 'started' | 'ended'; status: string }) => void
  onDelta?: (text: string) => void
  onToolCall?: (call: ToolCallRecord) => void
}

export interface ChatAnswer {
  content: string
  type: AnswerType
  payload: JsonValue | null
  session_key: string
  turn_id: string
  tool_calls: ToolCallRecord[]
}

/** One message into a session, one answer out of it, after all that was said before. */
export interface Chat {
  send(session: Session, input: ChatInput, listener?: TurnListener): Promise<ChatAnswer>
}
