import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../src/contracts/activities'
import type { InboundInput } from '../src/channels/inbound/contract'
import { turnsTaskQueue } from '../src/contracts/temporal'

/** Answers one message that came in from a platform; its end starts the next one of the session. */
export async function inboundWorkflow({ id }: InboundInput): Promise<void> {
  const { answerInbound } = proxyActivities<Activities>({
    taskQueue: turnsTaskQueue(workflowInfo().taskQueue),
    // A turn may wait long for the one before it; a worker that dies is noticed by its silence.
    startToCloseTimeout: '90 minutes',
    scheduleToCloseTimeout: '3 hours',
    heartbeatTimeout: '10 s',
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
  })
  await answerInbound(id)
}
