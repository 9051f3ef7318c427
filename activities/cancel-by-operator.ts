import type { Activities } from '../src/contracts/activities'
import type { ActivityParts } from './activity-parts'

/** A cancel in the Web UI, the CLI or tctl is a request: the row decides, like in every race. */
export function createCancelByOperator({ messages, metrics }: ActivityParts): Activities['cancelByOperator'] {
  return async (id) => {
    const row = await messages.find(id)
    if (!row) return { state: 'gone' }
    const won = await messages.cancel({
      sessionKey: row.sessionId,
      id,
      reason: 'cancelled by operator',
      workflowKnows: true,
    })
    if (won.length > 0) metrics.promiseEnded('scheduled_message', 'cancelled')
    const after = await messages.find(id)
    return { state: after && after.status !== 'pending' ? after.status : 'gone' }
  }
}
