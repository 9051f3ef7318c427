import { AppError } from '../errors'
import type { ToolDefinition } from '../contracts/tool'

/** A call as the model wrote it: `arguments` is its raw text and may be no JSON at all. */
export interface ModelToolCall {
  id: string
  name: string
  arguments: string
}

export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ModelToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string }

/** How a caller wants the model to write. */
export interface ModelSettings {
  temperature?: number
  topP?: number
  maxTokens?: number
  stop?: string[]
}

export interface ModelRequest {
  messages: ModelMessage[]
  tools: ToolDefinition[]
  signal: AbortSignal
  /** Another model of the same provider than the configured one. */
  modelName?: string
  settings?: ModelSettings
  /** Text as it arrives. */
  onText?: (text: string) => void
  /** For whom the call is, in the ledger of costs. */
  usageOf?: UsageSubject
}

/** For whom a model is called. */
export interface UsageSubject {
  botUuid?: string
  sessionKey?: string
  turnId?: string
  automationId?: string
  /** Who asked: `<channel>:<sender id>`. */
  person?: string
  purpose: string
}

export interface TokenUsage {
  promptTokens: number
  completionTokens: number
  cachedTokens: number
}

export interface ModelAnswer {
  content: string
  toolCalls: ModelToolCall[]
  /** Its text ends where the limit of tokens was reached, not where it was finished. */
  isCutShort?: boolean
  /** What it cost, where the server says so. */
  usage?: TokenUsage
}

/** The port to a language model. Throws ModelError; answers only what arrived whole. An abort throws its reason. */
export interface Model {
  readonly name: string
  complete(request: ModelRequest): Promise<ModelAnswer>
}

export type ModelErrorCode =
  'model_unavailable' | 'model_timeout' | 'model_cut_off' | 'model_rejected' | 'model_rate_limited' | 'model_bad_answer'

export class ModelError extends AppError {
  constructor(
    override readonly code: ModelErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(code, message, { status: 502, cause })
    this.name = 'ModelError'
  }
}
