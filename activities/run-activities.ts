import { Context } from '@temporalio/activity'
import type { RunActivities } from '../src/contracts/activities'
import type { RunKeeper } from '../src/scheduling/run-keeper'
import type { RunStore } from '../src/store/runs'

/** What the workflow of a run asks, each a few lines over the keeper. */
export function createRunActivities({
  keeper,
  runStore: runs,
}: {
  keeper: RunKeeper
  runStore: RunStore
}): RunActivities {
  return {
    loadRun: (id) => keeper.outline(id),
    settleStep: (id, stepIndex) => keeper.settle(id, stepIndex),
    async callPlugin(id, stepIndex) {
      const { cancellationSignal, heartbeat } = Context.current()
      heartbeat()
      return { code: await keeper.call(id, stepIndex, cancellationSignal, (detail) => heartbeat(detail)) }
    },
    reportProgress: (id, stepIndex) => keeper.progress(id, stepIndex),
    reportResult: (id, stepIndex) => keeper.report(id, stepIndex),
    async skipStep(id, stepIndex, failed) {
      await runs.skip(id, stepIndex, failed)
    },
    completeRun: async (id) => (await runs.complete(id)) ?? 'gone',
    async cancelRunByOperator(id) {
      await runs.cancel(id, { reason: 'cancelled by operator', workflowKnows: true })
    },
  }
}
