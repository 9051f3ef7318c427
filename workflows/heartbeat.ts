import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../src/contracts/activities'

const { reconcile } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  scheduleToStartTimeout: '1 minute',
  retry: { maximumAttempts: 2 },
})

/** One pass of the reconciler; its schedule starts the next. */
export async function heartbeatWorkflow(): Promise<Record<string, number>> {
  return reconcile()
}
