import type { ResultCode, RunResult } from './plugin'
import type { JsonObject, JsonValue, Language } from './words'

/** One step of a plan as it is asked for. */
export interface PlanStep {
  stepId: string
  aiName: string
  draftArgs: JsonObject
  dependsOn: number[]
  reason: string | null
  /** Known from the start for a step that waits for nobody; else it counts from the step's own start. */
  feedbackAt: Date | null
}

/**
 * Who asked: `call` is a plugin that the model waits for in its turn, so its result is no message of its own; `chat` and
 * `api` report by messages in the session, if there is one.
 */
export type RunOrigin = 'call' | 'chat' | 'api'
export type RunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled'
export type StepStatus = 'waiting' | 'running' | 'finished' | 'reported' | 'skipped'
export type RunEventType = 'args' | 'tool_choice' | 'tool_result' | 'completed'

export interface Run {
  id: string
  sessionKey: string | null
  botUuid: string
  origin: RunOrigin
  status: RunStatus
  language: Language
  timezone: string
  overlays: Record<string, string>
  cancelReason: string | null
  createdAt: Date
  endedAt: Date | null
}

export interface RunStep extends PlanStep {
  runId: string
  stepIndex: number
  status: StepStatus
  args: JsonObject | null
  lateByMs: number | null
  settledAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  result: RunResult | null
}

/** An event as it is stored and streamed; `ts` is epoch milliseconds. */
export interface RunEvent {
  type: RunEventType
  run_id: string
  seq: number
  ts: number
  stepIndex: number | null
  stepId: string | null
  aiName: string | null
  [more: string]: JsonValue
}

export const PLAN_MAX_STEPS = 20
export const runWorkflowId = (id: string) => `run/${id}`
export const runIdOf = (workflowId: string) => workflowId.replace(/^run\//, '')
/** Who watches one run is woken under this name, like the watchers of a session. */
export const runWatchKey = (id: string) => `run:${id}`
export const runMessageRef = (id: string, stepIndex: number, what: 'progress' | 'result') =>
  `run:${id}/${stepIndex}/${what}`

/** Ids only: arguments, results and texts stay in PostgreSQL. */
export interface RunInput {
  id: string
}

export interface RunOutline {
  maxConcurrency: number
  steps: { stepIndex: number; dependsOn: number[]; aiName: string }[]
}

/** What the workflow needs to know of a step whose arguments are settled. */
export type SettledStep =
  | { state: 'ready'; feedbackAtMs: number | null; timeoutMs: number }
  /** It has a result already: an unreadable schedule, an unknown tool, or the run is over. */
  | { state: 'decided'; code: ResultCode }
