import type { Effect, EffectSubject } from './effect'
import type { Refusal } from './refusal'
import type { Session } from '../conversation/session'
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
  /** The names of the tools that the model may call now. */
  offered: ReadonlySet<string>
  /** PostgreSQL's clock when the call began. */
  now: Date
  signal: AbortSignal
}

/** What a finished call makes of the answer of its turn. */
export interface ToolAnswer {
  type: AnswerType
  payload: JsonValue
}

/** What the person must be asked before it can go on, in words of ours. */
export interface ToolQuestion {
  text: string
  /** A later question of this name takes its place; what the call is about, unless told. */
  name?: string
}

/** An expected failure goes back to the model with a code and a hint it can act on; only bugs throw. */
export type ToolResult =
  | { ok: true; data: JsonObject; effects?: Effect[]; reveals?: string[]; answer?: ToolAnswer }
  | (Refusal & { question?: ToolQuestion; answer?: ToolAnswer })

/** What the model can call. `execute` gets arguments that already passed `parameters`. */
export interface Tool extends ToolDefinition {
  /** Not shown to the model until a search has found it (`reveals` of a result names it). */
  deferred?: boolean
  /** It reaches beyond the conversation: a plugin or an MCP server. */
  reachesOutside?: boolean
  /** What is let through to `execute` when the tool itself has better words for what is missing. */
  accepts?: object
  /** What a call would work on, so that a refusal is told as such; left out where it only reads. */
  subject?(args: JsonObject): EffectSubject
  /** A tool that is not offered is not shown to the model, and does not run when it is called. */
  isOffered(session: Session, origin: TurnOrigin): boolean
  /** Better words than "it is not offered here" for a call of a tool that is not. */
  whyNot?(session: Session, origin: TurnOrigin): Pick<Refusal, 'code' | 'hint'>
  execute(args: JsonObject, context: ToolContext): Promise<ToolResult>
}

/** A finished call as the chat answer shows it. */
export interface ToolCallRecord {
  id: string
  name: string
  arguments: JsonValue
  result: JsonObject
}
