import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../src/contracts/activities'

const { archiveOldMessages } = proxyActivities<Activities>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '5 minutes',
  retry: { maximumAttempts: 3 },
})

/** One pass over messages that are past their time; its schedule starts the next. */
export async function retentionWorkflow(): Promise<number> {
  return archiveOldMessages()
}
