import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Caller } from '../contracts/caller'
import type { ConversationKey } from '../conversation/history-contract'
import { isPlain, plainText } from '../contracts/message-chain'
import type { MessageChain } from '../contracts/message-chain'
import type { PushAnswer, PushLimits } from './contract'
import { TEXT_LIMIT } from '../reminders'
import type { ChannelName } from '../contracts/words'
import { badRequest } from '../errors'
import type { PushStore } from './sql'
import { createPushTarget } from './push-target'
import type { PushTargetParts } from './push-target'
import type { ReconcilerStep } from '../engine/reconciler'

/** How long an answer waits to hear from an outside channel; after that the message is `queued`. */
const HEAR_WITHIN_MS = 3_000
const LOOK_EVERY_MS = 100

export interface PushRequest {
  target: ConversationKey
  /** Where to, when the bot has several channels or means the page. */
  channel?: ChannelName
  chain: MessageChain
  pipelineUuid?: string
  urgent: boolean
  idempotencyKey?: string
}

/** A program speaks in the bot's name. Throws what is wrong with it; a refused push leaves nothing behind. */
export interface Push {
  send(caller: Caller, request: PushRequest): Promise<PushAnswer>
}

export interface PushParts extends PushTargetParts {
  store: PushStore
  requirePipeline(uuid: string): Promise<unknown>
  limits: PushLimits
  /** Temporal is told in the background. */
  kick(): void
}

export function createPush(parts: PushParts): Push {
  const { store, limits } = parts
  const findSession = createPushTarget(parts)

  /** Waits a little for the first try on an outside channel, so that the answer can say how it went. */
  async function hear(answer: PushAnswer): Promise<PushAnswer> {
    const until = Date.now() + HEAR_WITHIN_MS
    while (Date.now() < until) {
      const delivery = answer.message_id === null ? undefined : await store.delivery(answer.message_id)
      if (delivery?.state === 'sent') return { ...answer, status: 'sent' }
      if (delivery?.state === 'failed') return { ...answer, status: 'failed', error: delivery.lastError }
      if (delivery?.lastError) return { ...answer, error: delivery.lastError }
      await sleep(LOOK_EVERY_MS)
    }
    return answer
  }

  return {
    async send(caller, request) {
      if (request.pipelineUuid !== undefined) await parts.requirePipeline(request.pipelineUuid)
      const session = await findSession(caller, request.target, request.channel)
      const text = requireLength(plainText(request.chain))
      const idempotency = idempotencyOf(caller, request)
      const { answer, repeated } = await store.store({
        id: uuidv7(),
        sessionKey: session.sessionKey,
        content: {
          text,
          chain: isPlain(request.chain) ? undefined : request.chain,
          pipelineUuid: request.pipelineUuid,
          urgent: request.urgent,
        },
        pushedBy: caller.id,
        budgets: budgetsOf(limits, caller, request.target),
        idempotency,
      })
      const { provisional = false, ...known } = answer
      if (!provisional) {
        if (!repeated && known.status === 'deferred') parts.kick()
        return known
      }
      if (!repeated) parts.kick()
      const heard = await hear(known)
      if (idempotency) await store.keepAnswer(idempotency, heard)
      return heard
    },
  }
}

function requireLength(text: string): string {
  if ([...text].length <= TEXT_LIMIT) return text
  throw badRequest('message_too_long', `message has more than ${TEXT_LIMIT} characters`, 'Shorten it, or send several.')
}

function budgetsOf(limits: PushLimits, caller: Caller, { botUuid, launcherType, launcherId }: ConversationKey) {
  return [
    { name: `key:${caller.id}`, perMinute: limits.perKey },
    { name: `bot:${botUuid}`, perMinute: limits.perBot },
    { name: `target:${botUuid}:${launcherType}:${launcherId}`, perMinute: limits.perTarget },
  ]
}

function idempotencyOf(caller: Caller, { idempotencyKey, ...body }: PushRequest) {
  if (idempotencyKey === undefined) return undefined
  const { target, channel, chain, pipelineUuid = null, urgent } = body
  const whom = [target.botUuid, target.launcherType, target.launcherId]
  // Without a channel the fingerprint is the one of earlier versions: their keys count for a day.
  const said = JSON.stringify([...whom, chain, pipelineUuid, urgent, ...(channel === undefined ? [] : [channel])])
  return { callerId: caller.id, key: idempotencyKey, bodyHash: createHash('sha256').update(said).digest('hex') }
}

const PRUNED = 10_000

/** What the reconciler does for pushes. */
export const pushSteps = (pushes: Pick<PushStore, 'prune'>): ReconcilerStep[] => [
  { name: 'prune_pushes', run: () => pushes.prune(PRUNED).then(() => 0) },
]
