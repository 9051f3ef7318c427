import { Context } from '@temporalio/activity'
import type { Activities } from '../src/contracts/activities'
import type { Product } from '../src/build/product'

/** One pass over messages past their time, under heartbeats. */
export const createArchiveOldMessages =
  ({ retention }: Pick<Product, 'retention'>): Activities['archiveOldMessages'] =>
  () =>
    retention(() => Context.current().heartbeat())
