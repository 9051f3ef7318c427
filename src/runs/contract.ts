import type { ResultCode, RunnableTool, RunResult } from './plugins/contract'
import type { JsonObject, JsonValue, Language } from '../contracts/words'

/** One step of a plan as it is asked for. */
export interface PlanStep {
  stepId: string
  aiName: string
  draftArgs: JsonObject
  dependsOn: number[]
  reason: string | null
  /** The instant that `schedule` counts from: the request for a step that waits for nobody and for no place, else its own start. */
  askedAt: Date | null
  feedbackAt: Date | null
  /** A `schedule` that cannot be kept is the step's result before anything runs. */
  result: RunResult | null
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
  /** Words that a model has prepared; without them the plain ones are told. */
  progressText: string | null
  resultText: string | null
}

/** How long the person wanted to wait. */
export const delayOf = ({ feedbackAt, askedAt }: Pick<PlanStep, 'feedbackAt' | 'askedAt'>): number =>
  feedbackAt && askedAt ? Math.max(0, feedbackAt.getTime() - askedAt.getTime()) : 0

export const CANCELLED_BY_OPERATOR = 'cancelled by operator'
export const TERMINATED_BY_OPERATOR = 'terminated by operator'

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
  | {
      state: 'ready'
      feedbackAtMs: number | null
      timeoutMs: number
      source: RunnableTool['source']
      /** For which words the model is asked. */
      voices: { progress: boolean; result: boolean }
    }
  /** It has a result already: an unreadable schedule, an unknown tool, or the run is over. */
  | { state: 'decided'; code: ResultCode }

/** What a person has heard of a step at its deadline; `unsure` is told later, when it is known whether the call still lives. */
export type ToldFeedback = 'progress' | 'result' | 'unsure'

export interface DueFeedback {
  /** Every step whose deadline has passed. */
  told: { stepIndex: number; told: ToldFeedback }[]
  /** Until the next deadline; null when there is none. */
  waitMs: number | null
}
