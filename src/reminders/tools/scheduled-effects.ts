import type { EffectVerb, Effect } from '../../contracts/effect'
import { summaryOf } from '../../contracts/effect'
import type { ScheduledMessage } from '../contract'
import type { ScheduleOutcome } from '../scheduled-messages'

/** What was done to a scheduled message, as every tool tells it. */
export function scheduledEffect(did: EffectVerb, { id, sendAt, messageText }: ScheduledMessage): Effect {
  return { did, kind: 'scheduled_message', id, due_at: sendAt.toISOString(), summary: summaryOf(messageText) }
}

/** Those that a new message has replaced; nothing but their ids is known here. */
export function replacedEffects(ids: readonly string[]): Effect[] {
  return ids.map((id) => ({ did: 'cancelled', kind: 'scheduled_message', id, reason: 'replaced' }))
}

/** A change is told of the one that is there now; the old one was cancelled for it. */
export function changedEffects({ message, cancelledIds }: Extract<ScheduleOutcome, { ok: true }>): Effect[] {
  return [...replacedEffects(cancelledIds), scheduledEffect('changed', message)]
}
