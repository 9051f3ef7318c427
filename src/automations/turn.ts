import { budgetText } from '../access'
import { persist } from '../conversation'
import { isStorageAway } from '../engine/storage-away'
import type { Automation, AutomationRunState } from './contract'
import { automationAnswerRef } from './contract'
import { describeEmptyRun, describeFailedRun, describeTrigger } from './texts'
import { metadataOf } from '../contracts/effect'
import { languageOfPerson } from '../contracts/language'
import type { Session } from '../conversation/session'
import { AppError } from '../errors'
import { renderAutomationPrompt } from './prompt'
import type { AutomationStore, PreparedRun, RunStart } from './sql'
import type { TurnResult } from '../conversation/sql/end-turn'
import type { TurnStore } from '../conversation/sql/turn-store'
import type { UsageStore } from '../access/usage-store'
import type { DeliverLegacyAnswer } from './legacy-delivery'
import type { HeldTurn, TurnGate } from '../conversation/turn-gate'
import type { TurnOutcome, TurnRunner } from '../conversation/turn-runner'

/** A session in which people talk without end makes an automation wait at most this long. */
const WAIT_LIMIT_MS = 2 * 3_600_000
const STORE_LIMIT_MS = 3_600_000

export interface AutomationTurnParts {
  gate: TurnGate
  turns: TurnStore
  runner: TurnRunner
  automations: AutomationStore
  deliverLegacyAnswer: DeliverLegacyAnswer
  usage: Pick<UsageStore, 'allowanceOfAutomation'>
  metrics: {
    turnEnded(origin: string, status: string, seconds: number): void
    promiseKept(kind: string, lateByMs: number): void
    promiseEnded(kind: string, state: string): void
  }
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
}

/** Runs a queued run as a turn of its session and answers how it ended. May be asked again after a crash. */
export type RunAutomationTurn = (runId: string, signal: AbortSignal) => Promise<AutomationRunState>

export function createAutomationTurn(parts: AutomationTurnParts): RunAutomationTurn {
  return async (runId, signal) => {
    const state = await takeTurn(parts, runId, signal)
    // Also for a run that was found over: its worker may have died before the answer was on its way.
    if (state === 'succeeded') await parts.deliverLegacyAnswer(runId, signal)
    return state
  }
}

async function takeTurn(parts: AutomationTurnParts, runId: string, signal: AbortSignal): Promise<AutomationRunState> {
  const run = await parts.automations.findRecord(runId)
  if (!run) return 'cancelled'
  if (run.turnId === null || (run.state !== 'queued' && run.state !== 'running')) return run.state
  const turn = await parts.gate
    .resume({
      id: run.turnId,
      sessionKey: run.sessionKey,
      onStart: parts.automations.start(prepareRun),
      waitLimitMs: WAIT_LIMIT_MS,
      signal,
      onQueued: () => parts.crashPoint('automation_queued'),
    })
    .catch(gone)
  if (turn === 'gone') return stateOf(parts, runId)
  parts.crashPoint('automation_running')
  try {
    return await work(parts, turn, runId, signal)
  } finally {
    turn.release()
  }
}

function prepareRun(automation: Automation, session: Session, { now, ...lateness }: RunStart): PreparedRun {
  const language = languageOfPerson(session, automation)
  return {
    trigger: describeTrigger(
      automation.name,
      automation.message,
      { ...lateness, timezone: automation.timezone },
      language,
    ),
    ...renderAutomationPrompt(automation, { now, timezone: session.timezone, language }),
  }
}

async function work(
  parts: AutomationTurnParts,
  turn: HeldTurn,
  runId: string,
  signal: AbortSignal,
): Promise<AutomationRunState> {
  const began = Date.now()
  const record = await parts.automations.findRecord(runId)
  if (!record) return 'cancelled'
  const { name, lateByMs } = record
  const language = languageOfPerson(turn.session, record)
  const allowance = await parts.usage.allowanceOfAutomation(record.automationId)
  const pausedUntil = allowance && (allowance.left ?? 1) <= 0 ? allowance.resetsAt : undefined
  const outcome = pausedUntil
    ? closeForBudget(budgetText(pausedUntil, language))
    : await parts.runner.run(turn, {
        origin: 'automation',
        usageOf: { purpose: 'automation', automationId: record.automationId },
        language,
        instruction: record.renderedPrompt ?? record.message,
        closingText: (code) => (code === EMPTY ? describeEmptyRun(name, language) : describeFailedRun(name, language)),
        signal,
        isRepeatable: true,
      })
  parts.crashPoint('automation_answered')
  const result = toResult(turn, runId, outcome, record)
  const { sessionKey } = turn.session
  const end = () => parts.turns.end(sessionKey, { turnId: turn.id, fence: turn.fence }, result)
  const stored = await storePatiently(end, signal).catch(gone)
  if (stored === 'gone') return stateOf(parts, runId)
  parts.crashPoint('automation_stored')
  if (pausedUntil) {
    const reason = `the token budget is used up until ${pausedUntil.toISOString()}`
    const change = { state: 'auto_paused', reason, resumeAt: pausedUntil, heardIn: sessionKey } as const
    await parts.automations.change(record.automationId, change)
  }
  const state = result.runState ?? 'failed'
  parts.metrics.turnEnded('automation', result.status, (Date.now() - began) / 1_000)
  if (state === 'failed') parts.metrics.promiseEnded('automation', state)
  else parts.metrics.promiseKept('automation', lateByMs ?? 0)
  return state
}

/** What was answered is not asked again: it waits for PostgreSQL, while this worker lives. */
async function storePatiently<T>(store: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const deadline = Date.now() + STORE_LIMIT_MS
  for (;;) {
    try {
      return await persist(store)
    } catch (error) {
      if (!isStorageAway(error) || signal.aborted || Date.now() > deadline) throw error
    }
  }
}

function closeForBudget(content: string): TurnOutcome {
  const nothing = { type: 'text' as const, payload: null, toolCalls: [], effects: [] }
  return { status: 'failed', content, ...nothing, errorCode: 'budget_exhausted' }
}

const EMPTY = 'model_empty_answer'

function toResult(
  turn: HeldTurn,
  runId: string,
  outcome: TurnOutcome,
  { automationId, name }: { automationId: string; name: string },
): TurnResult {
  const answered = outcome.status === 'answered'
  const runState = answered ? 'succeeded' : outcome.errorCode === EMPTY ? 'empty' : 'failed'
  return {
    status: runState === 'failed' ? 'failed' : 'succeeded',
    error: outcome.errorCode,
    errorDetail: outcome.errorDetail,
    runState,
    message: {
      role: 'assistant',
      senderId: turn.session.botUuid,
      content: outcome.content,
      sourceKind: answered ? 'automation' : 'closing',
      sourceRef: automationAnswerRef(runId),
      type: outcome.type,
      payload: outcome.payload,
      metadata: {
        ...metadataOf(outcome),
        _automation_turn: true,
        automation_id: automationId,
        automation_name: name,
        automation_run_id: runId,
        automation_run_state: runState,
      },
    },
  }
}

async function stateOf({ automations }: AutomationTurnParts, runId: string): Promise<AutomationRunState> {
  return (await automations.findRecord(runId))?.state ?? 'cancelled'
}

const GONE: readonly string[] = ['not_found', 'turn_lost', 'turn_wait_too_long']

/** The session was deleted, or the turn was closed or taken away: the row says how the run stands. */
function gone(error: unknown): 'gone' {
  if (error instanceof AppError && GONE.includes(error.code)) return 'gone'
  throw error
}
