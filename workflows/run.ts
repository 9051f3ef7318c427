import { CancellationScope, isCancellation, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow'
import type { RunActivities } from '../src/contracts/activities'
import type { RunInput, SettledStep } from '../src/contracts/run'
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
// These may ask the model for words; they fall back by themselves long before their time-out.
const { settleStep, reportProgress, reportResult } = proxyActivities<RunActivities>({
  startToCloseTimeout: '1 minute',
  ...patience,
})

/** A busy worker lets calls wait in line. That a worker died is told by missing heartbeats, long before this. */
const IN_LINE_MS = 3_600_000

/** Keeps a plan: each step runs as soon as what it depends on has reported, and reports when its feedback is due. */
export async function runWorkflow({ id }: RunInput): Promise<string> {
  try {
    const { steps, maxConcurrency } = await loadRun(id)
    const slots = createSlots(maxConcurrency)
    const reported: Promise<boolean>[] = []
    for (const { stepIndex, dependsOn } of steps) {
      reported[stepIndex] = keepStep({ id, stepIndex, slots }, dependsOn, reported)
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
}

async function keepStep(step: Step, dependsOn: number[], reported: Promise<boolean>[]): Promise<boolean> {
  const succeeded = await Promise.all(dependsOn.flatMap((index) => reported[index] ?? []))
  const failed = dependsOn.filter((_, position) => !succeeded[position])
  if (failed.length > 0) {
    await skipStep(step.id, step.stepIndex, failed)
    return false
  }
  await step.slots.take()
  const settled = await settleStep(step.id, step.stepIndex)
  if (settled.state === 'decided') step.slots.give()
  else await raceToFeedback(step, settled)
  return reportResult(step.id, step.stepIndex)
}

/** The plugin starts at once; what it yields is told at the deadline, or as soon as it is there if that has passed. */
async function raceToFeedback(
  { id, stepIndex, slots }: Step,
  settled: SettledStep & { state: 'ready' },
): Promise<void> {
  const { callPlugin } = proxyActivities<RunActivities>({
    startToCloseTimeout: settled.timeoutMs + IN_LINE_MS,
    heartbeatTimeout: '10 s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    ...patience,
  })
  const done = callPlugin(id, stepIndex)
  // A slot is held while the plugin runs, never while its result waits for the deadline.
  void done.then(slots.give, slots.give)
  if (settled.feedbackAtMs === null) return void (await done)
  const due = sleep(Math.max(1, settled.feedbackAtMs - Date.now()), { summary: `Feedback of step ${stepIndex}` })
  const first = await Promise.race([done, due.then(() => 'due' as const)])
  if (first === 'due') {
    await reportProgress(id, stepIndex)
    await done
  } else if (first.code !== 'TIMEOUT' && first.code !== 'CANCELLED') {
    await due
  }
}
