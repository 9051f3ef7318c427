import { ApplicationFailure } from '@temporalio/activity'
import { ChannelFailure } from '../src/channels/channel'
import type { Channel } from '../src/channels/channel'
import type { Activities } from '../src/contracts/activities'
import { deliveryRef } from '../src/contracts/delivery'
import type { DeliveryOutcome } from '../src/contracts/delivery'
import type { DeliveryAttempt } from '../src/store/deliveries/attempt'
import type { ActivityParts } from './activity-parts'
import { TRY_FOR_MS } from './send-outside'
import { underHeartbeats } from './under-heartbeats'

/** A long message goes in parts, each a call of its own. */
const TRY_MS = 50_000

type Parts = Pick<ActivityParts, 'deliveries' | 'channels' | 'metrics' | 'crashPoint'>

/** One try to bring a message to its platform: attempt row, call, then the outcome; Temporal alone repeats it. */
export function createDeliverMessage(parts: Parts): Activities['deliverMessage'] {
  const { deliveries, channels, metrics, crashPoint } = parts
  return async (id) => {
    const found = await deliveries.find(id)
    if (!found) return { state: 'gone' }
    const channel = channels.get(found.channel)
    const start = await deliveries.begin(id, channel?.idempotent ?? false)
    if (start.state !== 'go') return start
    crashPoint('delivery_begun')
    try {
      if (!channel) throw new ChannelFailure('channel_unknown', false, `there is no channel ${found.channel}`)
      const outcome = await underHeartbeats(() => send(parts, channel, start.attempt))
      metrics.promiseEnded('delivery', outcome.state)
      return outcome
    } catch (error) {
      if (!(error instanceof ChannelFailure)) throw error
      await refuse(parts, start.attempt, error)
      metrics.promiseEnded('delivery', 'failed')
      return { state: 'failed' }
    }
  }
}

async function send(
  { deliveries, crashPoint }: Parts,
  channel: Channel,
  attempt: DeliveryAttempt,
): Promise<DeliveryOutcome> {
  const { id, session, text, chain, sourceKind, replyTo, sentParts } = attempt
  const outgoing = { id: deliveryRef(id), session, text, chain, sourceKind, replyTo, sentParts }
  const onPart = (platformMessageId: string) => deliveries.addPart(id, platformMessageId)
  const receipt = await channel.send({ ...outgoing, onPart }, AbortSignal.timeout(TRY_MS))
  crashPoint('delivered_before_commit')
  const { platformMessageId, degraded = null } = receipt
  const platformMessageIds = receipt.platformMessageIds ?? (platformMessageId === null ? [] : [platformMessageId])
  return deliveries.complete(attempt, { platformMessageIds, degraded })
}

/** Records the refusal. What may pass is thrown for another try, honouring the channel's wish when to come back. */
async function refuse({ deliveries }: Parts, attempt: DeliveryAttempt, failure: ChannelFailure): Promise<void> {
  const final = !failure.mayPass || attempt.tryingForMs > TRY_FOR_MS
  await deliveries.failAttempt(attempt, { error: `${failure.code}: ${failure.message}`, final })
  if (final) return
  throw ApplicationFailure.create({ message: failure.code, type: failure.code, nextRetryDelay: failure.retryAfterMs })
}
