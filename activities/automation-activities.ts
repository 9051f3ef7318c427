import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { AutomationActivities } from '../src/contracts/activities'
import type { AutomationKeeper } from '../src/scheduling/automation-keeper'
import type { RunAutomationTurn } from '../src/sessions/automation-turn'

const BEAT_MS = 2_000

/** What the workflow of an automation's run asks. */
export function createAutomationActivities({
  automationKeeper: keeper,
  runAutomationTurn,
}: {
  automationKeeper: AutomationKeeper
  runAutomationTurn: RunAutomationTurn
}): AutomationActivities {
  return {
    queueAutomation: ({ automationId, slotMs, startedMs, workflowId }) =>
      keeper.queue({ automationId, slot: new Date(slotMs), startedAt: new Date(startedMs), workflowId }),

    async runAutomationTurn(runId) {
      const context = Context.current()
      context.heartbeat()
      const timer = setInterval(() => context.heartbeat(), BEAT_MS)
      try {
        return await runAutomationTurn(runId, context.cancellationSignal)
      } catch (error) {
        if (!context.cancellationSignal.aborted) throw error
        // A worker that is being stopped hands the turn on; only an operator's wish ends it.
        if (context.cancellationDetails?.cancelRequested) throw new CancelledFailure('cancelled')
        throw ApplicationFailure.create({ message: 'interrupted', type: 'interrupted' })
      } finally {
        clearInterval(timer)
      }
    },

    async stopAutomationRun(runId, state, error) {
      await keeper.stop(runId, state, error)
    },
  }
}
