import type { JsonObject, JsonValue } from '../../contracts/words'

/** What a plugin's `config.json` says; checked at boot. */
export interface PluginConfig {
  name: string
  description: string
  inputSchema: JsonObject
  /** A handler that takes longer is ended and reported as `TIMEOUT`. */
  timeoutMs: number
  /** Between two calls of the plugin by one bot; a call before that answers `COOLDOWN_ACTIVE`. */
  cooldownMs: number
  /** Whether a call that was interrupted may be made again. */
  idempotent: boolean
  /** Hidden until the planner finds it by `tool_search`. */
  deferred: boolean
  /** Settings the handler is given by name in `context.settings`; it sees no environment. */
  settings: string[]
  meta: JsonObject
}

/** A tool that runs as a step: a plugin (`local__<name>`) or a tool of an MCP server (`<server>__<tool>`). */
export interface RunnableTool extends PluginConfig {
  aiName: string
  source: 'plugin' | 'mcp'
  /** Whether `schedule` is part of its input: then its feedback can be delayed. */
  schedulable: boolean
}

export const RESULT_CODES = ['OK', 'ERR', 'TIMEOUT', 'COOLDOWN_ACTIVE', 'CANCELLED', 'INTERRUPTED'] as const
export type ResultCode = (typeof RESULT_CODES)[number]

/** What came out of a step. Large data is an artifact and only its reference is here. */
export interface RunResult {
  success: boolean
  code: ResultCode
  data: JsonValue
  error: RunError | null
}

/** Why a handler was not called, or ended without a word of its own. */
export type FailureReason =
  'bad_schedule' | 'schedule_too_far' | 'bad_arguments' | 'not_set_up' | 'unknown_tool' | 'unreachable' | 'broken'

export interface RunError {
  message: string
  remainMs?: number
  /** Absent where the message is the handler's own. */
  reason?: FailureReason
}

/** The one shape of a result that is no success. */
export function failedResult(
  code: Exclude<ResultCode, 'OK'>,
  message: string,
  more: Omit<RunError, 'message'> = {},
): RunResult {
  return { success: false, code, data: null, error: { message, ...more } }
}

/** Where a file of a run can be had. */
export const artifactPath = (id: string) => `/api/v1/artifacts/${id}`

/** What a handler's call to a model cost. */
export interface PluginUsage {
  model: string
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  /** Counted from the length of the texts, because the server said nothing. */
  estimated: boolean
}

/** A file that a handler made. */
export interface PluginFile {
  name: string
  contentType: string
  content: Uint8Array
}

export interface PluginCall {
  aiName: string
  /** Settled, validated, without `schedule`. */
  args: JsonObject
  runId: string
  stepIndex: number
  sessionKey: string | null
  language: 'zh' | 'en'
  signal: AbortSignal
  /** Asked right before the handler starts: false when the call is not wanted any more. What came before was waiting. */
  onStart(): Promise<boolean>
  /** Called now and then while the handler lives; it may throw to end the call. */
  onHeartbeat(detail: JsonValue): void
  /** The handler has called the model of the settings. */
  onUsage?(usage: PluginUsage): void
  /** A file that the handler gives away; answers the reference that travels instead. */
  onFile(
    file: PluginFile,
  ): Promise<{ artifact_id: string; name: string; content_type: string; size: number; url: string }>
}

/** The port to everything that can run as a step. Never throws for what a handler did: that is a result. */
export interface PluginHost {
  list(): RunnableTool[]
  find(aiName: string): RunnableTool | undefined
  /** Plugins that were left out at boot, with the reason. */
  faults(): { folder: string; reason: string }[]
  run(call: PluginCall): Promise<RunResult>
  close(): Promise<void>
}
