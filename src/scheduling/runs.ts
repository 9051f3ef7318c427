import { v7 as uuidv7 } from 'uuid'
import type { PluginHost } from '../contracts/plugin'
import { PLAN_MAX_STEPS, runWatchKey } from '../contracts/run'
import type { PlanStep, Run, RunEvent, RunOrigin, RunStep } from '../contracts/run'
import type { JsonObject, Language } from '../contracts/words'
import { badRequest } from '../errors'
import type { LiveBus } from '../live/live-bus'
import type { RunStore } from '../store/runs'
import type { RunFilter } from '../store/runs/read'
import type { TurnFence } from '../store/session-writes'
import type { OutboxDispatcher } from './outbox-dispatcher'

/** A step as a caller writes it. */
export interface StepRequest {
  aiName: string
  draftArgs?: JsonObject
  dependsOn?: number[]
  reason?: string
  stepId?: string
  feedbackAt?: Date
}

export interface RunRequest {
  sessionKey: string | null
  botUuid: string
  origin: RunOrigin
  language: Language
  timezone: string
  overlays: Record<string, string>
  steps: StepRequest[]
  toolCallId?: string
  turn?: TurnFence
}

export interface Runs {
  /** One transaction; the workflow is started right afterwards. Throws `bad_plan` for a plan that cannot run. */
  start(request: RunRequest): Promise<Run>
  find(id: string): Promise<{ run: Run; steps: RunStep[] } | null>
  /** The newest first. */
  list(filter: RunFilter): Promise<{ run: Run; steps: RunStep[] }[]>
  events(id: string, afterSeq: number, limit: number): Promise<RunEvent[]>
  /** Answers whether this call won. */
  cancel(id: string, by: { reason: string; turn?: TurnFence }): Promise<boolean>
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
}): Runs {
  const { store, dispatcher, plugins, live } = parts
  return {
    async start(request) {
      const steps = checkPlan(request.steps, plugins)
      const { toolCallId = null, ...rest } = request
      const run = await store.create({ ...rest, id: uuidv7(), steps, toolCallId })
      dispatcher.kick()
      return run
    },
    find: store.find,
    list: store.list,
    events: store.events,
    async cancel(id, by) {
      const won = await store.cancel(id, by)
      if (won) dispatcher.kick()
      return won
    },
    async waitForStep(id, stepIndex, until, signal) {
      let ring: () => void = () => undefined
      const unsubscribe = live.subscribe(runWatchKey(id), { onWake: () => ring() })
      try {
        while (!signal.aborted) {
          const rung = new Promise<void>((resolve) => (ring = resolve))
          const step = (await store.find(id))?.steps[stepIndex]
          if (!step || until(step)) return step
          await Promise.race([rung, pause(LOOK_AGAIN_MS, signal)])
        }
        return undefined
      } finally {
        unsubscribe()
      }
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}

/** A step may depend only on steps before it, so a plan has no circles. */
function checkPlan(steps: StepRequest[], plugins: PluginHost): PlanStep[] {
  if (steps.length === 0) throw badRequest('bad_plan', 'the plan has no steps')
  if (steps.length > PLAN_MAX_STEPS) throw badRequest('bad_plan', `a plan has at most ${PLAN_MAX_STEPS} steps`)
  return steps.map((step, index) => {
    const dependsOn = [...new Set(step.dependsOn ?? [])]
    const wrong = dependsOn.find((before) => !Number.isInteger(before) || before < 0 || before >= index)
    if (wrong !== undefined) {
      throw badRequest(
        'bad_plan',
        `step ${index} depends on ${wrong}`,
        'A step may depend only on steps before it, by index from 0.',
      )
    }
    if (!plugins.find(step.aiName)) {
      const known = plugins.list().map(({ aiName }) => aiName)
      throw badRequest(
        'unknown_tool',
        `step ${index}: there is no tool ${step.aiName}`,
        `There are: ${known.join(', ')}.`,
      )
    }
    const { aiName, draftArgs = {}, reason = null, stepId = `step-${index + 1}`, feedbackAt = null } = step
    return { aiName, draftArgs, dependsOn, reason, stepId, feedbackAt }
  })
}
