import { deliveryIdOf, deliveryWorkflowId } from '../contracts/delivery'
import type { DeliveryStore } from '../store/deliveries'
import type { OutboxStore } from '../store/outbox-store'
import type { Scheduler, WorkflowState } from './scheduler'

/** A message on its way for that long is looked after: its workflow should be there. */
const STALE_SECONDS = 60
const BATCH = 200

export interface MendDeliveriesParts {
  deliveries: DeliveryStore
  outbox: OutboxStore
  scheduler: Scheduler
}

type Mended = { restarted: number; failed: number }

/** Messages on their way whose workflow was lost, ended by an operator, or broke. */
export async function mendDeliveries(
  parts: MendDeliveriesParts,
  broken: ReadonlyMap<string, WorkflowState>,
): Promise<Mended> {
  const mended: Mended = { restarted: 0, failed: 0 }
  for (const id of await parts.deliveries.listStale(STALE_SECONDS, BATCH)) {
    await mend(parts, id, await parts.scheduler.stateOf(deliveryWorkflowId(id)), mended)
  }
  for (const [workflowId, state] of broken) {
    if (workflowId.startsWith(deliveryWorkflowId(''))) await mend(parts, deliveryIdOf(workflowId), state, mended)
  }
  return mended
}

async function mend(parts: MendDeliveriesParts, id: string, state: WorkflowState, mended: Mended): Promise<void> {
  if (state === 'open') return
  if (state === 'not_found') {
    await parts.outbox.requeue('start_delivery', id)
    mended.restarted++
    return
  }
  const byOperator = state === 'terminated' || state === 'cancelled'
  const reason = byOperator ? `${state} by operator` : `the workflow ended: ${state}`
  if (await parts.deliveries.giveUp(id, reason)) mended.failed++
}
