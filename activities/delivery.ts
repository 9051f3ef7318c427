import { ChannelFailure } from '../src/channels'
import type { Channel, Receipt } from '../src/channels/channel'
import type { Activities } from '../src/contracts/activities'
import type { DeliveryOutcome } from '../src/contracts/delivery'
import { languageOfPerson, say } from '../src/contracts/language'
import { describeLateness } from '../src/contracts/lateness'
import type { MessageChain } from '../src/contracts/message-chain'
import type { Session } from '../src/conversation/session'
import type { DeliveryAttempt } from '../src/channels/outgoing/attempt'
import { backOffMs } from '../src/engine/waiting'
import type { Product } from '../src/build/product'
import { plannedRetry, underHeartbeats } from './attempt'

/** A long message goes in parts, each a call of its own. */
const TRY_MS = 50_000
/** What may pass is tried again for this long. */
const TRY_FOR_MS = 60 * 60_000
/** What no channel should throw may be a bug, which holds up the line of its session no longer than this. */
const UNEXPECTED_FOR_MS = 10 * 60_000
const BEHIND_MS = 2_000
const BACK_OFF = { firstMs: 2_000, longestMs: 120_000 }

type Parts = Pick<Product, 'stores' | 'channels' | 'logger' | 'metrics' | 'crashPoint'>

/** What the workflow of a delivery asks. */
export const createDeliveryActivities = (parts: Parts): Pick<Activities, 'deliverMessage' | 'giveUpDelivery'> => ({
  deliverMessage: createDeliverMessage(parts),
  giveUpDelivery: createGiveUpDelivery(parts),
})

/** One try to bring a message to its platform: attempt row, call, then the outcome; Temporal alone repeats it. */
function createDeliverMessage(parts: Parts): Activities['deliverMessage'] {
  const { channels } = parts
  const { deliveries, sessions } = parts.stores
  return async (id) => {
    const found = await deliveries.find(id)
    if (!found) return { state: 'gone' }
    const channel = channels.get(found.channel)
    const session = await sessions.find(found.sessionKey)
    const tryIt = () => tryOnce(parts, id, channel)
    return channel && session ? inPlaceOf(channel, session, tryIt) : tryIt()
  }
}

/**
 * Takes a place on the channel before anything is written, for as long as the work takes. Where none is free, Temporal
 * brings the activity back later: waiting holds no slot and costs no attempt.
 */
async function inPlaceOf<T>(channel: Channel, session: Session, work: () => Promise<T>): Promise<T> {
  const entry = channel.enter(session)
  if ('waitMs' in entry) throw comeBackAfter(entry.waitMs)
  try {
    return await work()
  } finally {
    entry.release()
  }
}

/** Nothing was done, and nothing is wrong. */
const comeBackAfter = (waitMs: number) => plannedRetry('busy', waitMs)

async function tryOnce(parts: Parts, id: string, channel: Channel | undefined): Promise<DeliveryOutcome> {
  const { crashPoint } = parts
  const { deliveries } = parts.stores
  const start = await deliveries.begin(id, channel?.idempotent ?? false)
  if (start.state === 'behind') throw comeBackAfter(BEHIND_MS)
  if (start.state !== 'go') return start
  crashPoint('delivery_begun')
  return underHeartbeats(async () => {
    const receipt = await call(parts, channel, start.attempt)
    crashPoint('delivered_before_commit')
    if (receipt instanceof ChannelFailure) return refuse(parts, start.attempt, receipt)
    const outcome = await complete(parts, start.attempt, receipt)
    crashPoint('delivery_decided')
    return outcome
  })
}

/** Makes the call. Whatever is thrown becomes a failure that is bounded; only what a channel says of itself is certain. */
async function call(
  { stores: { deliveries }, logger }: Parts,
  channel: Channel | undefined,
  attempt: DeliveryAttempt,
): Promise<Receipt | ChannelFailure> {
  if (!channel) return new ChannelFailure('channel_unknown', false, 'the channel of the session is unknown here')
  const { id, sourceRef, session, sourceKind, replyTo, sentParts } = attempt
  const onPart = (platformMessageId: string) => deliveries.addPart(id, platformMessageId)
  const outgoing = { id: sourceRef, session, ...withLateLine(attempt), sourceKind, replyTo, sentParts, onPart }
  const signal = AbortSignal.timeout(TRY_MS)
  try {
    return await channel.send(outgoing, signal)
  } catch (error) {
    if (error instanceof ChannelFailure) return error
    if (signal.aborted) return new ChannelFailure('timeout', true, 'no answer in time', { uncertain: true })
    const name = error instanceof Error ? error.name : 'no error'
    logger.error({ err: error, id }, 'a channel failed in a way that it does not know')
    return new ChannelFailure('unexpected', true, name, { uncertain: true })
  }
}

async function complete({ stores: { deliveries }, metrics }: Parts, attempt: DeliveryAttempt, receipt: Receipt) {
  const { platformMessageId, degraded = null } = receipt
  const platformMessageIds = receipt.platformMessageIds ?? (platformMessageId === null ? [] : [platformMessageId])
  const { lateByMs, ...outcome } = await deliveries.complete(attempt, { platformMessageIds, degraded })
  metrics.promiseEnded('delivery', outcome.state)
  if (lateByMs !== undefined) metrics.promiseKept('scheduled_message', lateByMs)
  return outcome
}

/** Records the refusal. What may pass is thrown for another try, honouring the channel's wish when to come back. */
async function refuse(
  { stores: { deliveries }, metrics }: Parts,
  attempt: DeliveryAttempt,
  failure: ChannelFailure,
): Promise<DeliveryOutcome> {
  const { code, mayPass, uncertain, retryAfterMs } = failure
  const final = !mayPass || attempt.tryingForMs > (code === 'unexpected' ? UNEXPECTED_FOR_MS : TRY_FOR_MS)
  await deliveries.failAttempt(attempt, { error: `${code}: ${failure.message}`, final, uncertain })
  if (!final) {
    // By the calls that were made: Temporal also counts the times when there was no place.
    const nextRetryDelay = retryAfterMs ?? backOffMs(attempt.number, BACK_OFF)
    throw plannedRetry(code, nextRetryDelay)
  }
  metrics.promiseEnded('delivery', 'failed')
  if (attempt.dueAt) metrics.promiseEnded('scheduled_message', 'failed')
  return { state: 'failed' }
}

/** What leaves for the platform: the words as they were promised, and a line that says so when they come late. */
function withLateLine(said: Pick<DeliveryAttempt, 'text' | 'chain' | 'session' | 'lateByMs'>): {
  text: string
  chain: MessageChain | undefined
} {
  const { text, chain, session, lateByMs } = said
  const language = languageOfPerson(session, { words: text })
  const late = describeLateness(lateByMs, language)
  if (late === undefined) return { text, chain }
  const line = `\n${say(language, { zh: `（${late}）`, en: `(${late})` })}`
  return { text: text + line, chain: chain && [...chain, { type: 'Plain', text: line }] }
}

/** Ends a delivery that was cancelled in Temporal; while its platform is being called, that call decides. */
function createGiveUpDelivery({ stores: { deliveries } }: Parts): Activities['giveUpDelivery'] {
  return async (id, reason) => {
    if (await deliveries.giveUp(id, reason)) return
    const found = await deliveries.find(id)
    if (found?.state === 'pending') throw plannedRetry('being_sent')
  }
}
