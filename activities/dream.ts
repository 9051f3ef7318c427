import { Context } from '@temporalio/activity'
import type { Activities } from '../src/contracts/activities'
import type { Product } from '../src/build/product'

/** One pass over long conversations, under heartbeats. */
export function createDream({ dream }: Pick<Product, 'dream'>): Activities['dream'] {
  return () => {
    const { cancellationSignal, heartbeat } = Context.current()
    return dream(cancellationSignal, () => heartbeat())
  }
}
