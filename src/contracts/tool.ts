import type { Session } from './session'
import type { AnswerType, JsonObject, JsonValue, Language, TurnOrigin } from './words'

/** What the model is told of a tool; `parameters` is a JSON Schema. */
export interface ToolDefinition {
  name: string
  description: string
  parameters: object
}

/** Authority comes from here, never from what the model wrote. */
export interface ToolContext {
  session: Session
  turnId: string
  toolCallId: string
  /** Fencing number of the turn: every write of the tool carries it. */
  fence: number
  origin: TurnOrigin
  language: Language
  /** PostgreSQL's clock when the call began. */
  now: Date
  signal: AbortSignal
}

/** What a finished call makes of the answer of its turn. */
export interface ToolAnswer {
  type: AnswerType
  payload: JsonValue
  /** A question the person must have read: it is put after an answer that does not ask about all of this by itself. */
  mustAsk?: { text: string; about: string[] }
}

/** What a success has changed; an answer may claim this and no more. */
export interface ToolEffect {
  does: 'create' | 'change' | 'delete' | 'complete'
  to: 'task' | 'reminder'
}

/** An expected failure goes back to the model with a code and a hint it can act on; only bugs throw. */
export type ToolResult =
  | { ok: true; data: JsonObject; reveals?: string[]; answer?: ToolAnswer }
  | { ok: false; reason: string; hint: string; data?: JsonObject; answer?: ToolAnswer }

/** What the model can call. `execute` gets arguments that already passed `parameters`. */
export interface Tool extends ToolDefinition {
  /** Not shown to the model until a search has found it (`reveals` of a result names it). */
  deferred?: boolean
  /** What is let through to `execute` when the tool itself has better words for what is missing. */
  accepts?: object
  /** None when it only reads; left out when nobody knows, and then any claim may rest on it. */
  effects?(args: JsonObject): readonly ToolEffect[]
  isOffered(session: Session, origin: TurnOrigin): boolean
  execute(args: JsonObject, context: ToolContext): Promise<ToolResult>
}

/** A finished call as the chat answer shows it. */
export interface ToolCallRecord {
  id: string
  name: string
  arguments: JsonValue
  result: JsonObject
}
