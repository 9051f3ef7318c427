import { Context } from '@temporalio/activity'
import type { Activities } from '../src/contracts/activities'
import type { ActivityParts } from './activity-parts'

/** One pass over long conversations, under heartbeats. */
export function createDream({ dream }: Pick<ActivityParts, 'dream'>): Activities['dream'] {
  return () => {
    const { cancellationSignal, heartbeat } = Context.current()
    return dream(cancellationSignal, () => heartbeat())
  }
}
