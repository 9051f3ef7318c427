import { CancellationScope, isCancellation, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow'
import type { Activities } from '../src/contracts/activities'
import type { DeliveryInput, DeliveryOutcome } from '../src/contracts/delivery'

const { deliverMessage } = proxyActivities<Activities>({
  startToCloseTimeout: '60 s',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '2 s', backoffCoefficient: 2, maximumInterval: '2 minutes' },
})
const { giveUpDelivery } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '20 s',
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '500 ms', maximumInterval: '15 s' },
})

/** Brings one message of a session to its platform; the decision about it starts the next one. */
export async function deliveryWorkflow({ id }: DeliveryInput): Promise<DeliveryOutcome['state']> {
  try {
    let outcome = await deliverMessage(id)
    while (outcome.state === 'early') {
      await sleep(outcome.waitMs, { summary: 'Until the end of the quiet hours' })
      outcome = await deliverMessage(id)
    }
    return outcome.state
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => giveUpDelivery(id, 'cancelled by operator'))
    }
    throw error
  }
}
