import {
  CancellationScope,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { RunActivities } from '../src/contracts/activities'
import type { ResultCode } from '../src/runs/plugins/contract'
import type { RunInput, SettledStep } from '../src/runs/contract'
import { callsTaskQueue } from '../src/contracts/temporal'
import { createFeedbackClock } from './feedback-clock'
import type { FeedbackClock } from './feedback-clock'
import { createSlots } from './slots'
import type { Slots } from './slots'

const patience = {
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '500 ms', maximumInterval: '15 s' },
} as const
const { loadRun, skipStep, completeRun, cancelRunByOperator } = proxyLocalActivities<RunActivities>({
  startToCloseTimeout: '20 s',
  ...patience,
})
const { settleStep, reportProgress, reportResult, tellDue } = proxyActivities<RunActivities>({
  startToCloseTimeout: '1 minute',
  ...patience,
})
/** Words of a model are a gift: whoever does not get them tells the plain ones. */
const { prepareWords } = proxyActivities<RunActivities>({
  startToCloseTimeout: '15 s',
  scheduleToCloseTimeout: '20 s',
  retry: { maximumAttempts: 1 },
})

/** A process that starts slowly and one that ends slowly; that a worker died is told by missing heartbeats. */
const AROUND_CALL_MS = 120_000
/** The model begins to write that long before its words are needed. */
const LEAD_MS = 10_000
/** A call whose worker died is asked for again within this time. */
const FATE_MS = 15_000

/** Keeps a plan: each step runs as soon as what it depends on has reported, and reports when its feedback is due. */
export async function runWorkflow({ id }: RunInput): Promise<string> {
  try {
    const { steps, maxConcurrency } = await loadRun(id)
    const slots = createSlots(maxConcurrency)
    const clock = patched('deadlines-told-together') ? createFeedbackClock(() => tellDue(id)) : undefined
    const reported: Promise<boolean>[] = []
    for (const { stepIndex, dependsOn } of steps) {
      reported[stepIndex] = keepStep({ id, stepIndex, slots, clock }, dependsOn, reported)
    }
    await Promise.all(reported)
    return await completeRun(id)
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => cancelRunByOperator(id))
    throw error
  }
}

interface Step {
  id: string
  stepIndex: number
  slots: Slots
  /** Absent in runs that began before steps shared a clock. */
  clock: FeedbackClock | undefined
}

type Ready = SettledStep & { state: 'ready' }
type Done = Promise<{ code: ResultCode }>

async function keepStep(step: Step, dependsOn: number[], reported: Promise<boolean>[]): Promise<boolean> {
  const succeeded = await Promise.all(dependsOn.flatMap((index) => reported[index] ?? []))
  const failed = dependsOn.filter((_, position) => !succeeded[position])
  if (failed.length > 0) {
    await skipStep(step.id, step.stepIndex, failed)
    return false
  }
  const waited = await step.slots.take()
  const settled = await settleStep(step.id, step.stepIndex, waited)
  if (settled.state === 'decided') step.slots.give()
  else await runToFeedback(step, settled)
  return reportResult(step.id, step.stepIndex)
}

/** The plugin starts at once; what it yields is told at the deadline, or as soon as it is there if that has passed. */
async function runToFeedback(step: Step, settled: Ready): Promise<void> {
  const done = callPlugin(step, settled)
  // A slot is held while the plugin runs, never while its result waits for the deadline.
  void done.then(step.slots.give, step.slots.give)
  const { feedbackAtMs } = settled
  if (!step.clock) return raceAlone(step, done, feedbackAtMs)
  if (feedbackAtMs === null) {
    await done
    return prepareResult(step, settled)
  }
  await race(step, settled, { done, feedbackAtMs, clock: step.clock })
}

function callPlugin({ id, stepIndex }: Step, { timeoutMs, source }: Ready): Done {
  const activities = proxyActivities<RunActivities>({
    taskQueue: callsTaskQueue(workflowInfo().taskQueue, source ?? 'plugin'),
    startToCloseTimeout: timeoutMs + AROUND_CALL_MS,
    heartbeatTimeout: '10 s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    ...patience,
  })
  return activities.callPlugin(id, stepIndex)
}

async function race(
  step: Step,
  settled: Ready,
  { done, feedbackAtMs, clock }: { done: Done; feedbackAtMs: number; clock: FeedbackClock },
): Promise<void> {
  const due = clock.at(step.stepIndex, feedbackAtMs)
  if (settled.voices.progress) void prepareProgress(step, done, feedbackAtMs).catch(() => undefined)
  const first = await Promise.race([done, due])
  if (typeof first === 'object') {
    if (first.code === 'TIMEOUT' || first.code === 'CANCELLED') return clock.forget(step.stepIndex)
    // At the deadline the words are told that are there then.
    void prepareResult(step, settled).catch(() => undefined)
    await due
    return
  }
  if (first === 'unsure') {
    await Promise.race([done, sleep(FATE_MS)])
    await reportProgress(step.id, step.stepIndex)
  }
  await done
  if (first !== 'result') await prepareResult(step, settled)
}

async function prepareProgress({ id, stepIndex }: Step, done: Done, feedbackAtMs: number): Promise<void> {
  const waitMs = feedbackAtMs - LEAD_MS - Date.now()
  const isDone = waitMs > 0 && (await Promise.race([done.then(() => true), sleep(waitMs).then(() => false)]))
  if (!isDone) await prepareWords(id, stepIndex, 'progress')
}

async function prepareResult({ id, stepIndex }: Step, { voices }: Ready): Promise<void> {
  if (!voices.result) return
  try {
    await prepareWords(id, stepIndex, 'result')
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}

/** As runs were kept that began before steps shared a clock. */
async function raceAlone({ id, stepIndex }: Step, done: Done, feedbackAtMs: number | null): Promise<void> {
  if (feedbackAtMs === null) return void (await done)
  const due = sleep(Math.max(1, feedbackAtMs - Date.now()), { summary: `Feedback of step ${stepIndex}` })
  const first = await Promise.race([done, due.then(() => 'due' as const)])
  if (first === 'due') {
    await reportProgress(id, stepIndex)
    await done
  } else if (first.code !== 'TIMEOUT' && first.code !== 'CANCELLED') {
    await due
  }
}
