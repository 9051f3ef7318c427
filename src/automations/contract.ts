import type { NextRun, Recurrence } from '../time/recurrence/contract'
import type { JsonObject, Language } from '../contracts/words'

/** `paused` by a person or an operator, `auto_paused` after failures, `ended` when nothing more can come. */
export const AUTOMATION_STATES = ['active', 'paused', 'auto_paused', 'ended'] as const
export type AutomationState = (typeof AUTOMATION_STATES)[number]

export const AUTOMATION_RUN_STATES = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'empty',
  'missed',
  'cancelled',
] as const
export type AutomationRunState = (typeof AUTOMATION_RUN_STATES)[number]

/** Where the answer of an imported job goes; jobs of our own have none. */
export interface LegacyTarget {
  oldId: string
  deliver: boolean
  channel: string | null
  to: string | null
  channelMeta: JsonObject
}

/** A recurring or one-time scheduled input into a session. */
export interface Automation {
  id: string
  kind: 'agent_turn' | 'system_event'
  sessionKey: string | null
  botUuid: string
  name: string
  message: string
  recurrence: Recurrence
  timezone: string
  language: Language
  state: AutomationState
  stateReason: string | null
  endsAt: Date | null
  maxRuns: number | null
  runsCount: number
  failuresInRow: number
  /** Tokens that its runs may use in a day (UTC); null: any number. */
  dailyTokens: number | null
  nextRunAt: Date | null
  legacy: LegacyTarget | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** Why a slot was missed: it could start only when it was too late, nobody started it, or the run before it was still going. */
export type MissedCause = 'too_late' | 'not_started' | 'overlap'

/** One slot of an automation. */
export interface AutomationRun {
  id: string
  automationId: string
  sessionKey: string
  scheduledAt: Date
  state: AutomationRunState
  turnId: string | null
  promptRef: PromptRef | null
  /** Why it failed, was missed or was cancelled. */
  error: string | null
  /** What stood behind the error, shortened; for who looks into it, never for the chat. */
  errorDetail: string | null
  lateByMs: number | null
  messageId: number | null
  queuedAt: Date
  startedAt: Date | null
  endedAt: Date | null
}

/** Which text the model was given, without the text. */
export interface PromptRef {
  id: string
  version: number
  sha256: string
}

/** An automation as people look at it. */
export interface AutomationView {
  automation: Automation
  words: string
  nextRuns: NextRun[]
  lastRun: AutomationRun | null
  queued: boolean
}

export const AUTOMATIONS_PER_SESSION = 20
export const FAILURES_BEFORE_PAUSE = 5
/** A slot that is older than this when its turn could be queued is not run any more. */
export const CATCH_UP_MS = 10 * 60_000
export const AUTOMATION_MESSAGE_LIMIT = 4_000
export const AUTOMATION_NAME_LIMIT = 100

export const automationScheduleId = (id: string) => `automation/${id}`
export const automationIdOf = (scheduleId: string) => scheduleId.replace(/^automation\//, '')
/** Temporal appends the slot: `automation-run/<id>-2026-11-17T09:00:00Z`. */
export const automationRunWorkflowId = (id: string) => `automation-run/${id}`
/** The very id that Temporal's schedule gives to the slot's workflow. */
export const automationSlotWorkflowId = (id: string, slot: Date) =>
  `${automationRunWorkflowId(id)}-${slot.toISOString().slice(0, 19)}Z`
export const automationRunId = (id: string, slotMs: number) => `${id}:${slotMs}`
export const automationRunRef = (runId: string) => `automation_run:${runId}`
export const automationAnswerRef = (runId: string) => `automation_answer:${runId}`
export const automationDeliveryRef = (runId: string) => `automation_delivery:${runId}`
/** The session in which an imported job thinks. */
export const legacySessionKey = (oldId: string) => `cron:${oldId}`

/** Ids only: the message stays in PostgreSQL. */
export interface AutomationRunInput {
  automationId: string
  /** Given when the run is started again by hand; else Temporal's schedule says which slot it is. */
  slotMs?: number
}

/** What the first activity of a run found. */
export type QueueOutcome = { state: 'queued'; runId: string } | { state: 'missed' | 'gone' | AutomationRunState }
