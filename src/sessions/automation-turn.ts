import { v7 as uuidv7 } from 'uuid'
import type { Automation, AutomationRunState } from '../contracts/automation'
import { automationAnswerRef } from '../contracts/automation'
import { describeEmptyRun, describeFailedRun, describeTrigger } from '../contracts/automation-texts'
import type { Session } from '../contracts/session'
import { AppError } from '../errors'
import { renderAutomationPrompt } from '../planner/automation-prompt'
import type { PlannerOutcome } from '../planner/planner-loop'
import type { AutomationStore, PreparedRun } from '../store/automations'
import type { TurnResult } from '../store/end-turn'
import type { TurnStore } from '../store/turn-store'
import type { DeliverLegacyAnswer } from './legacy-delivery'
import { persist } from './persist'
import type { HeldTurn, TurnGate } from './turn-gate'
import type { TurnRunner } from './turn-runner'

/** A session in which people talk without end makes an automation wait at most this long. */
const WAIT_LIMIT_MS = 2 * 3_600_000

export interface AutomationTurnParts {
  gate: TurnGate
  turns: TurnStore
  runner: TurnRunner
  automations: AutomationStore
  clock: { now(): Promise<Date> }
  holder: string
  deliverLegacyAnswer: DeliverLegacyAnswer
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
  const holder = `${parts.holder}:${uuidv7()}`.slice(-100)
  const taken = await parts.automations.take(runId, holder).catch(gone)
  if (taken === 'gone') return 'cancelled'
  if (taken.state === 'over') return taken.runState
  parts.crashPoint('automation_queued')
  const turn = await holdTurn(parts, taken, { runId, holder, signal })
  if (turn === 'waited_too_long') await parts.automations.stopRun(runId, { state: 'failed', error: turn })
  if (typeof turn === 'string') return stateOf(parts, runId)
  parts.crashPoint('automation_running')
  try {
    return await work(parts, turn, runId, signal)
  } finally {
    turn.release()
  }
}

type Taken = Exclude<Awaited<ReturnType<AutomationStore['take']>>, { state: 'over' }>

async function holdTurn(
  { gate, automations, clock }: AutomationTurnParts,
  taken: Taken,
  { runId, holder, signal }: { runId: string; holder: string; signal: AbortSignal },
): Promise<HeldTurn | 'gone' | 'waited_too_long'> {
  const { session, turnId: id } = taken
  if (taken.state === 'running') return gate.hold({ id, holder, fence: taken.fence, session })
  const { sessionKey } = session
  return gate.resume(session, {
    id,
    holder,
    async claim() {
      const now = await clock.now()
      const prepare = (automation: Automation, current: Session) => prepareRun(automation, current, now)
      return automations.start({ runId, sessionKey, turnId: id, holder, prepare })
    },
    waitLimitMs: WAIT_LIMIT_MS,
    signal,
  })
}

function prepareRun(automation: Automation, session: Session, now: Date): PreparedRun {
  const language = session.language ?? automation.language
  return {
    trigger: describeTrigger(automation.name, automation.message, language),
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
  const { name, language: own, lateByMs } = record
  const language = turn.session.language ?? own
  const outcome = await parts.runner.run(turn, {
    origin: 'automation',
    language,
    instruction: record.renderedPrompt ?? record.message,
    closingText: (code) => (code === EMPTY ? describeEmptyRun(name, language) : describeFailedRun(name, language)),
    signal,
  })
  parts.crashPoint('automation_answered')
  const result = toResult(turn, runId, outcome, record)
  const { sessionKey } = turn.session
  const stored = await persist(() => parts.turns.end(sessionKey, { turnId: turn.id, fence: turn.fence }, result)).catch(
    gone,
  )
  if (stored === 'gone') return stateOf(parts, runId)
  parts.crashPoint('automation_stored')
  const state = result.runState ?? 'failed'
  parts.metrics.turnEnded('automation', result.status, (Date.now() - began) / 1_000)
  if (state === 'failed') parts.metrics.promiseEnded('automation', state)
  else parts.metrics.promiseKept('automation', lateByMs ?? 0)
  return state
}

const EMPTY = 'model_empty_answer'

function toResult(
  turn: HeldTurn,
  runId: string,
  outcome: PlannerOutcome,
  { automationId, name }: { automationId: string; name: string },
): TurnResult {
  const answered = outcome.status === 'answered'
  const runState = answered ? 'succeeded' : outcome.errorCode === EMPTY ? 'empty' : 'failed'
  return {
    status: runState === 'failed' ? 'failed' : 'succeeded',
    error: outcome.errorCode,
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

/** The session was deleted, or the turn was closed and taken away: the row says how the run stands. */
function gone(error: unknown): 'gone' {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'turn_lost')) return 'gone'
  throw error
}
