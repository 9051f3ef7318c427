import { createActivities } from '../../activities'
import { startWorker } from '../engine/temporal/start-worker'
import type { WorkerParts } from '../engine/temporal/start-worker'
import { startBurstWatch } from '../reminders'
import type { Product } from './product'

/** Every activity of the product. */
export const activitiesOf = (product: Product) => createActivities(product)

/** The Temporal worker of a product, with what runs beside it. */
export function startProductWorker(
  product: Product,
  {
    bundle,
    activities = activitiesOf(product),
  }: Pick<WorkerParts, 'bundle'> & Partial<Pick<WorkerParts, 'activities'>>,
) {
  const { stores, config, logger, scheduler, dispatcher } = product
  const messages = stores.scheduledMessages
  return startWorker({
    config: config.temporal,
    drainMs: config.drainMs,
    activities,
    bundle,
    logger,
    scheduler,
    outbox: stores.outbox,
    dispatcher,
    beside: [() => startBurstWatch({ messages, activities, logger })],
  })
}
