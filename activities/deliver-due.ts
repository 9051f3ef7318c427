import type { Activities } from '../src/contracts/activities'
import type { ActivityParts } from './activity-parts'

const SWEEP_LIMIT = 2_000

/**
 * Whoever is due delivers all that is due. The first to wake sweeps; those who wake meanwhile wait for the same sweep,
 * find their row sent, and end.
 */
export function createDeliverDue({ messages, metrics, crashPoint }: ActivityParts): Activities['deliverDue'] {
  let sweeping: Promise<void> | undefined

  async function sweep(): Promise<void> {
    for (;;) {
      crashPoint('before_claim')
      const swept = await messages.sweepDue(SWEEP_LIMIT)
      crashPoint('after_commit_before_ack')
      for (const { late_by_ms: lateByMs } of swept) metrics.promiseKept('scheduled_message', lateByMs)
      if (swept.length < SWEEP_LIMIT) return
    }
  }

  return async (id) => {
    const row = await messages.find(id)
    if (!row) return { state: 'gone' }
    if (row.status !== 'pending') return { state: row.status }
    if (row.channel !== 'web') return { state: 'outside' }
    sweeping ??= sweep().finally(() => {
      sweeping = undefined
    })
    await sweeping
    // Its session was busy, or it was not due yet by the database's clock: it is looked at under its own lock.
    const { lateByMs, ...outcome } = await messages.deliverOnWeb(id)
    if (lateByMs !== undefined) metrics.promiseKept('scheduled_message', lateByMs)
    return outcome
  }
}
