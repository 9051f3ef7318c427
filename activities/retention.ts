import { Context } from '@temporalio/activity'
import type { Activities } from '../src/contracts/activities'
import type { ActivityParts } from './activity-parts'

/** One pass over messages past their time, under heartbeats. */
export const createArchiveOldMessages =
  ({ retention }: Pick<ActivityParts, 'retention'>): Activities['archiveOldMessages'] =>
  () =>
    retention(() => Context.current().heartbeat())
