import { CancelledFailure, Context } from '@temporalio/activity'
import type { AutomationActivities } from '../src/contracts/activities'
import type { Product } from '../src/build/product'
import { plannedRetry, underHeartbeats } from './attempt'

/** What the workflow of an automation's run asks. */
export function createAutomationActivities({
  automationSlots: slots,
  runAutomationTurn,
}: Pick<Product, 'automationSlots' | 'runAutomationTurn'>): AutomationActivities {
  return {
    queueAutomation: ({ automationId, slotMs, startedMs, workflowId }) =>
      slots.queue({ automationId, slot: new Date(slotMs), startedAt: new Date(startedMs), workflowId }),

    async runAutomationTurn(runId) {
      const context = Context.current()
      const { cancellationSignal: signal } = context
      try {
        return await underHeartbeats(() => runAutomationTurn(runId, signal))
      } catch (error) {
        if (!signal.aborted) throw error
        // A worker that is being stopped hands the turn on; only an operator's wish ends it.
        if (context.cancellationDetails?.cancelRequested) throw new CancelledFailure('cancelled')
        throw plannedRetry('interrupted')
      }
    },

    async stopAutomationRun(runId, state, error) {
      await slots.stop(runId, state, error)
    },
  }
}
