import { ApplicationFailure } from '@temporalio/activity'
import { ChannelFailure } from '../src/channels/channel'
import type { Activities } from '../src/contracts/activities'
import { scheduledMessageRef } from '../src/contracts/scheduled-message'
import type { DueOutcome } from '../src/contracts/scheduled-message'
import type { Attempt } from '../src/store/scheduled-messages/attempt'
import type { ActivityParts } from './activity-parts'

/** One try on a channel ends within this, so that a claim outlives it. */
const TRY_MS = 15_000
/** What may pass is tried again for this long. */
export const TRY_FOR_MS = 60 * 60_000

/** One try on the message's channel: attempt row, call, then the outcome; Temporal alone repeats it. */
export function createSendOutside(parts: ActivityParts): Activities['sendOutside'] {
  const { messages, channels, metrics, crashPoint } = parts
  return async (id) => {
    const row = await messages.find(id)
    if (!row) return { state: 'gone' }
    const channel = channels.get(row.channel)
    crashPoint('before_claim')
    const start = await messages.beginAttempt(id, channel?.idempotent ?? false)
    if (start.state !== 'go') return start
    crashPoint('after_claim')
    const { attempt } = start
    try {
      if (!channel) throw new ChannelFailure('channel_unknown', false, `there is no channel ${row.channel}`)
      const { message, session } = attempt
      const { messageText: text, chain, sourceKind } = message
      const outgoing = { id: scheduledMessageRef(id), session, text, chain: chain ?? undefined, sourceKind }
      crashPoint('before_channel')
      const receipt = await channel.send(outgoing, AbortSignal.timeout(TRY_MS))
      crashPoint('after_channel_before_commit')
      return await complete(parts, attempt, receipt.platformMessageId)
    } catch (error) {
      if (!(error instanceof ChannelFailure)) throw error
      const outcome = await refuse(parts, attempt, error)
      metrics.promiseEnded('scheduled_message', 'failed')
      return outcome
    }
  }
}

async function complete(
  { messages, metrics, crashPoint }: ActivityParts,
  attempt: Attempt,
  receipt: string | null,
): Promise<DueOutcome> {
  const { lateByMs, ...outcome } = await messages.completeAttempt(attempt.message.id, attempt.number, receipt)
  crashPoint('after_commit_before_ack')
  if (lateByMs !== undefined) metrics.promiseKept('scheduled_message', lateByMs)
  return outcome
}

/** Records the refusal. What may pass is thrown for another try, honouring the channel's wish when to come back. */
async function refuse({ messages }: ActivityParts, attempt: Attempt, failure: ChannelFailure): Promise<DueOutcome> {
  const final = !failure.mayPass || attempt.tryingForMs > TRY_FOR_MS
  const error = `${failure.code}: ${failure.message}`
  await messages.failAttempt(attempt.message.id, attempt.number, { error, final })
  if (final) return { state: 'failed' }
  throw ApplicationFailure.create({ message: failure.code, type: failure.code, nextRetryDelay: failure.retryAfterMs })
}
