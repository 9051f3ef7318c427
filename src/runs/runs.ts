import { refuse } from '../contracts/refusal'
import type { Refusal } from '../contracts/refusal'
import { v7 as uuidv7 } from 'uuid'
import type { PluginHost } from './plugins/contract'
import { PLAN_MAX_STEPS, runWatchKey } from './contract'
import type { PlanStep, Run, RunEvent, RunStep } from './contract'
import type { JsonObject } from '../contracts/words'
import type { LiveBus } from '../engine/live-bus'
import { createWakeSignal } from '../engine/waiting'
import type { RunStore } from './sql'
import type { NewRun } from './sql/create'
import type { RunFilter } from './sql/read'
import type { TurnFence } from '../engine/session-writes'
import { missingIn } from './feedback-words'
import { readFeedbackTime } from './feedback-time'
import type { FeedbackTime } from './feedback-time'
import type { OutboxDispatcher } from '../engine/outbox-dispatcher'

/** A step as a caller writes it. */
export interface StepRequest {
  aiName: string
  draftArgs?: JsonObject
  dependsOn?: number[]
  reason?: string
  stepId?: string
}

export interface RunRequest extends Omit<NewRun, 'id' | 'steps' | 'toolCallId'> {
  steps: StepRequest[]
  toolCallId?: string
  /** When it was asked for: what a `schedule` counts from. Now, if it is not said. */
  now?: Date
}

export type RunRefusalCode = 'bad_plan' | 'unknown_tool' | 'bad_schedule' | 'bad_arguments'
export type StartOutcome = { ok: true; run: Run; feedbackAt: Date | null } | Refusal<RunRefusalCode>

export interface Runs {
  /**
   * One transaction; the workflow is started right afterwards. A plan that cannot run is refused, and to the model, which can
   * ask again, a feedback time that cannot be kept.
   */
  start(request: RunRequest): Promise<StartOutcome>
  find(id: string): Promise<{ run: Run; steps: RunStep[] } | null>
  /** The newest first. */
  list(filter: RunFilter): Promise<{ run: Run; steps: RunStep[] }[]>
  events(id: string, afterSeq: number, limit: number): Promise<RunEvent[]>
  /** Answers whether this call won. */
  cancel(id: string, by: { reason: string; turn?: TurnFence }): Promise<boolean>
  /** Cancels all that run for a session; answers how many. */
  cancelAllOf(sessionKey: string, reason: string): Promise<number>
  /** Waits until the step has a result or feedback time; undefined when the wait is over first. */
  waitForStep(
    id: string,
    stepIndex: number,
    until: (step: RunStep) => boolean,
    signal: AbortSignal,
  ): Promise<RunStep | undefined>
}

const LOOK_AGAIN_MS = 2_000

export function createRuns(parts: {
  store: RunStore
  dispatcher: OutboxDispatcher
  plugins: PluginHost
  live: LiveBus
  clock: { now(): Promise<Date> }
}): Runs {
  const { store, dispatcher, plugins, live, clock } = parts
  return {
    async start(request) {
      const { toolCallId = null, now = await clock.now(), ...rest } = request
      const plan = checkPlan(request.steps, { plugins, now, zone: request.timezone, mayFail: request.origin === 'api' })
      if (!plan.ok) return plan
      const { steps } = plan
      const run = await store.create({ ...rest, id: uuidv7(), steps, toolCallId })
      dispatcher.kick()
      return { ok: true, run, feedbackAt: steps[0]?.feedbackAt ?? null }
    },
    find: store.find,
    list: store.list,
    events: store.events,
    async cancel(id, by) {
      const won = await store.cancel(id, by)
      if (won) dispatcher.kick()
      return won
    },
    async cancelAllOf(sessionKey, reason) {
      const running = await store.listRunning(sessionKey)
      const won = await Promise.all(running.map((id) => store.cancel(id, { reason })))
      dispatcher.kick()
      return won.filter(Boolean).length
    },
    async waitForStep(id, stepIndex, until, signal) {
      const news = createWakeSignal()
      const unsubscribe = live.subscribe(runWatchKey(id), { onWake: news.wake })
      try {
        while (!signal.aborted) {
          const step = (await store.find(id))?.steps[stepIndex]
          if (!step || until(step)) return step
          await news.wait(LOOK_AGAIN_MS, signal)
        }
        return undefined
      } finally {
        unsubscribe()
      }
    },
  }
}

type Plan = { ok: true; steps: PlanStep[] } | Refusal<RunRefusalCode>

interface PlanContext {
  plugins: PluginHost
  now: Date
  zone: string
  /** What would only fail later is said at once to the model, which can ask again; a program reads the events. */
  mayFail: boolean
}

function checkPlan(steps: StepRequest[], context: PlanContext): Plan {
  if (steps.length === 0) return refuse('bad_plan', 'The plan has no steps.')
  if (steps.length > PLAN_MAX_STEPS) return refuse('bad_plan', `A plan has at most ${PLAN_MAX_STEPS} steps.`)
  const checked: PlanStep[] = []
  for (const [index, step] of steps.entries()) {
    const planned = checkStep(step, index, context)
    if ('ok' in planned) return planned
    checked.push(planned)
  }
  return { ok: true, steps: checked }
}

/** A step may depend only on steps before it, so a plan has no circles. */
function checkStep(
  step: StepRequest,
  index: number,
  { plugins, now, zone, mayFail }: PlanContext,
): PlanStep | Refusal<RunRefusalCode> {
  const dependsOn = [...new Set(step.dependsOn ?? [])]
  const wrong = dependsOn.find((before) => !Number.isInteger(before) || before < 0 || before >= index)
  if (wrong !== undefined) {
    const why = 'A step may depend only on steps before it, by index from 0.'
    return refuse('bad_plan', `Step ${index} depends on ${wrong}. ${why}`)
  }
  const tool = plugins.find(step.aiName)
  if (!tool) {
    const known = plugins.list().map(({ aiName }) => aiName)
    return refuse('unknown_tool', `Step ${index}: there is no tool ${step.aiName}. There are: ${known.join(', ')}.`)
  }
  const { aiName, draftArgs = {}, reason = null, stepId = `step-${index + 1}` } = step
  // The time of a step that waits for others counts from its own start.
  const counted = dependsOn.length === 0 ? readFeedbackTime(tool, draftArgs, { now, zone }) : UNDECIDED
  const { askedAt, feedbackAt, refusal: result = null } = counted
  const fault = result?.error?.message
  if (fault !== undefined && !mayFail) return refuse('bad_schedule', fault)
  const missing = !mayFail && dependsOn.length === 0 ? missingIn(tool, draftArgs) : []
  if (missing.length > 0) {
    const what = 'Give it, or let the step depend on one whose result tells it.'
    return refuse('bad_arguments', `Step ${index}: ${aiName} lacks ${missing.join(', ')}. ${what}`)
  }
  return { aiName, draftArgs, dependsOn, reason, stepId, askedAt, feedbackAt, result }
}

const UNDECIDED: FeedbackTime = { askedAt: null, feedbackAt: null }
