import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../src/contracts/activities'

const { dream } = proxyActivities<Activities>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '2 minutes',
  scheduleToStartTimeout: '5 minutes',
  retry: { maximumAttempts: 2 },
})

/** One pass over long conversations: what is no longer shown to the planner word by word becomes its memory. */
export async function dreamWorkflow(): Promise<{ summarised: number; failed: number }> {
  return dream()
}
