import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { AutomationActivities } from '../src/contracts/activities'
import type { AutomationRunInput } from '../src/automations/contract'
import { SEARCH_ATTRIBUTES, turnsTaskQueue } from '../src/contracts/temporal'

const patience = {
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '500 ms', maximumInterval: '15 s' },
} as const
const { queueAutomation, stopAutomationRun } = proxyLocalActivities<AutomationActivities>({
  startToCloseTimeout: '20 s',
  ...patience,
})

/** Keeps one slot of an automation: a place in the session's queue, then its turn, and an end that the row knows. */
export async function automationRunWorkflow({ automationId, slotMs }: AutomationRunInput): Promise<string> {
  const { workflowId, startTime } = workflowInfo()
  const slot = slotMs ?? slotOf()
  upsertSearchAttributes({ [SEARCH_ATTRIBUTES.dueAt]: [new Date(slot)] })
  const queued = await queueAutomation({ automationId, slotMs: slot, startedMs: startTime.getTime(), workflowId })
  if (queued.state !== 'queued' || !('runId' in queued)) return queued.state
  try {
    return await takeTurn(queued.runId)
  } catch (error) {
    const stop = isCancellation(error) ? ('cancelled' as const) : ('failed' as const)
    await CancellationScope.nonCancellable(() => stopAutomationRun(queued.runId, stop, causeOf(error)))
    throw error
  }
}

/** The turn may wait long and run for minutes: it is heard of by heartbeats and taken over when they stop. */
function takeTurn(runId: string): Promise<string> {
  const { runAutomationTurn } = proxyActivities<AutomationActivities>({
    taskQueue: turnsTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '4 hours',
    heartbeatTimeout: '10 s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    // A turn that fails is a result; what is tried again is a worker that died, or a PostgreSQL that is away.
    ...patience,
  })
  return runAutomationTurn(runId)
}

/** Temporal says which slot it started us for; without a schedule it is the moment we began. */
function slotOf(): number {
  const { searchAttributes, startTime } = workflowInfo()
  const scheduled: unknown = searchAttributes['TemporalScheduledStartTime']?.[0]
  return scheduled instanceof Date ? scheduled.getTime() : startTime.getTime()
}

function causeOf(error: unknown): string {
  if (isCancellation(error)) return 'cancelled by operator'
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof Error ? cause.message.slice(0, 200) : 'unknown'
}
