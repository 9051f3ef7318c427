import { condition } from '@temporalio/workflow'
import type { DueFeedback, ToldFeedback } from '../src/runs/contract'

export interface FeedbackClock {
  /** Answers what was told of the step at its deadline. */
  at(stepIndex: number, dueMs: number): Promise<ToldFeedback>
  /** The step has told its last word before. */
  forget(stepIndex: number): void
}

interface Waiting {
  dueMs: number
  tell(told: ToldFeedback): void
  fail(error: unknown): void
}

/** Temporal may fire a timer up to a second late when it is this near: who tells waits for the deadline itself. */
const NEAR_MS = 1_200

/**
 * One clock for all deadlines of a run, so that steps with equal deadlines are told together. With a timer each they are
 * not: of a workflow's timers Temporal arms the first, and the next one only when that has fired.
 */
export function createFeedbackClock(tellDue: () => Promise<DueFeedback>): FeedbackClock {
  const waiting = new Map<number, Waiting>()
  let changes = 0
  let isRunning = false

  const nextMs = () => Math.min(...[...waiting.values()].map(({ dueMs }) => dueMs)) - Date.now()

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const leftMs = nextMs() - NEAR_MS
      if (leftMs > 0) await untilDueOrChanged(nextMs())
      else await tell()
    }
    isRunning = false
  }

  async function untilDueOrChanged(ms: number): Promise<void> {
    const seen = changes
    await condition(() => changes !== seen, ms, { summary: 'Feedback of the next step' })
  }

  async function tell(): Promise<void> {
    const before = waiting.size
    const { told, waitMs } = await tellDue()
    for (const { stepIndex, told: what } of told) {
      waiting.get(stepIndex)?.tell(what)
      waiting.delete(stepIndex)
    }
    // The clock of PostgreSQL is behind ours: what is not due there is waited for.
    if (waiting.size === before) await untilDueOrChanged(Math.max(NEAR_MS, waitMs ?? 0))
  }

  function fail(error: unknown): void {
    for (const each of waiting.values()) each.fail(error)
    waiting.clear()
    isRunning = false
  }

  return {
    at(stepIndex, dueMs) {
      const told = new Promise<ToldFeedback>((tell, fail) => waiting.set(stepIndex, { dueMs, tell, fail }))
      // Whoever waits may have stopped when the run is cancelled.
      told.catch(() => undefined)
      changes += 1
      if (!isRunning) {
        isRunning = true
        run().catch(fail)
      }
      return told
    },
    forget(stepIndex) {
      waiting.delete(stepIndex)
      changes += 1
    },
  }
}
