import type { Activities } from '../src/contracts/activities'
import type { ActivityParts } from './activity-parts'
import { createDueSweep } from './due-sweep'

/** Whoever is due delivers all that is due: the first to wake sweeps, the others find their row sent, and end. */
export function createDeliverDue(parts: ActivityParts): Activities['deliverDue'] {
  const { messages, metrics } = parts
  const dueSweep = createDueSweep(parts)

  return async (id) => {
    const standing = await messages.standing(id)
    if (!standing) return { state: 'gone' }
    const { status, channel, waitMs, dueAtMs } = standing
    if (status !== 'pending') {
      // While a herd wakes, a message that is due by now may stand far behind in Temporal's queue.
      await dueSweep.lookAround()
      return { state: status }
    }
    if (waitMs > 0) return { state: 'early', waitMs, ...(dueAtMs === null ? {} : { dueAtMs }) }
    if (channel !== 'web') return { state: 'outside' }
    if (await dueSweep.includes(id)) return { state: 'sent' }
    // Its session was busy, or it was cancelled meanwhile: it is looked at under its own lock.
    const { lateByMs, ...outcome } = await messages.deliverOnWeb(id)
    if (lateByMs !== undefined) metrics.promiseKept('scheduled_message', lateByMs)
    return outcome
  }
}
