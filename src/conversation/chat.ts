import type { Effect } from '../contracts/effect'
import type { MessageChain } from '../contracts/message-chain'
import type { TurnFence } from '../engine/session-writes'
import type { PlannerOutcome } from '../planner/planner-loop'
import type { Session } from './session'
import type { ToolCallRecord } from '../contracts/tool'
import type { ModelSettings } from '../planner/model'
import type { TokenUsage } from '../planner/model'
import type { AnswerType, JsonObject, JsonValue } from '../contracts/words'

export interface ChatInput {
  message: string
  senderId: string
  metadata?: JsonObject
  /** Its parts; absent when it is only its text. */
  chain?: MessageChain
  /** It came in through the session's channel: the answer leaves there too. */
  viaChannel?: boolean
  /** How the model is to write, and what it is told besides its prompt, in this turn. */
  settings?: ModelSettings
  instructions?: string
  /** Answers in place of the model: what a button does is decided already. */
  answer?: (session: Session, turn: TurnFence) => Promise<PlannerOutcome>
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
  /** What the turn really did. */
  effects: Effect[]
  /** Why there is no answer of the model; null when there is one. */
  error_code: string | null
  /** Its last words end at the limit of tokens. */
  is_cut_short?: boolean
  /** What its model calls cost; absent when none was made. */
  usage?: TokenUsage
  session_key: string
  turn_id: string
  tool_calls: ToolCallRecord[]
}

/** One message into a session, one answer out of it, after all that was said before. */
export interface Chat {
  send(session: Session, input: ChatInput, listener?: TurnListener): Promise<ChatAnswer>
}
