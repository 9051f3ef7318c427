import type { Activities } from '../src/contracts/activities'
import { createSingleFlight } from '../src/engine/waiting'
import type { ChannelName } from '../src/contracts/words'
import type { DueOutcome } from '../src/reminders/contract'
import type { Product } from '../src/build/product'

const SWEEP_LIMIT = 2_000
const LOOK_AROUND_EVERY_MS = 200

type Parts = Pick<Product, 'stores' | 'metrics' | 'crashPoint'>

/** What the workflow of a scheduled message asks. */
export const createScheduledMessageActivities = (
  parts: Parts,
): Pick<Activities, 'deliverDue' | 'sendOutside' | 'cancelByOperator'> => ({
  deliverDue: createDeliverDue(parts),
  sendOutside: (id) => handOver(parts, id),
  cancelByOperator: (id) => cancelByOperator(parts, id),
})

/** Whoever is due delivers all that is due: the first to wake sweeps, the others find their row sent, and end. */
function createDeliverDue(parts: Parts): Activities['deliverDue'] {
  const { metrics } = parts
  const messages = parts.stores.scheduledMessages
  const dueSweep = createDueSweep(parts)

  return async (id) => {
    const due = await messages.dueStatus(id)
    if (!due) return { state: 'gone' }
    const { status, channel, waitMs, dueAtMs, followUp, untilDone } = due
    if (status !== 'pending') {
      // While a burst wakes, a message that is due by now may stand far behind in Temporal's queue.
      await dueSweep.lookAround()
      return untilDone && status === 'sent' ? sayAgain(parts, id) : { state: followUp ?? status }
    }
    if (waitMs > 0) return { state: 'early', waitMs, ...(dueAtMs === null ? {} : { dueAtMs }) }
    const outcome = await send(id, channel)
    if (!untilDone) return outcome
    // From here on the row says when it is said again.
    return outcome.state === 'sent' || outcome.state === 'handed_over' ? sayAgain(parts, id) : outcome
  }

  async function send(id: string, channel: ChannelName): Promise<DueOutcome> {
    if (channel !== 'web') return handOver(parts, id)
    if (await dueSweep.includes(id)) return { state: 'sent' }
    // Its session was busy, or it was cancelled meanwhile: it is looked at under its own lock.
    const { lateByMs, ...outcome } = await messages.deliverOnWeb(id)
    if (lateByMs !== undefined) metrics.promiseKept('scheduled_message', lateByMs)
    return outcome
  }
}

/** Says it again when that is due, unless it was settled meanwhile. */
async function sayAgain({ stores, crashPoint }: Parts, id: string): Promise<DueOutcome> {
  crashPoint('before_repeat')
  const outcome = await stores.scheduledMessages.repeat(id)
  crashPoint('repeated')
  return outcome
}

/** Puts a message that is due into the outgoing line of its session. */
async function handOver({ stores, crashPoint }: Parts, id: string): Promise<DueOutcome> {
  crashPoint('before_hand_over')
  const outcome = await stores.scheduledMessages.handOver(id)
  crashPoint('handed_over')
  return outcome
}

/** A cancel in the Web UI, the CLI or tctl is a request: the row decides, like in every race. */
async function cancelByOperator({ stores, metrics }: Parts, id: string): Promise<DueOutcome> {
  const messages = stores.scheduledMessages
  const row = await messages.find(id)
  if (!row) return { state: 'gone' }
  if (row.status !== 'pending' && row.nextRepeatAt === null) return { state: row.followUp ?? row.status }
  const won = await messages.cancel({
    sessionKey: row.sessionId,
    id,
    reason: 'cancelled by operator',
    workflowKnows: true,
  })
  if (won.length > 0) metrics.promiseEnded('scheduled_message', 'cancelled')
  const after = await messages.find(id)
  return { state: after && after.status !== 'pending' ? (after.followUp ?? after.status) : 'gone' }
}

/** Sends all that is due in one statement; asked by many at once, it is done once for all. */
interface DueSweep {
  /** Sends what is due now; whether this message was among it. */
  includes(id: string): Promise<boolean>
  /** Sends what is due, unless somebody has just looked. */
  lookAround(): Promise<void>
}

function createDueSweep({ stores, metrics, crashPoint }: Parts): DueSweep {
  const sweep = createSingleFlight(sweepAll)
  let lastBegun = -Infinity

  async function sweepAll(): Promise<Set<string>> {
    const ids = new Set<string>()
    for (;;) {
      lastBegun = performance.now()
      crashPoint('before_claim')
      const swept = await stores.scheduledMessages.sweepDue(SWEEP_LIMIT)
      crashPoint('after_commit_before_ack')
      for (const { id, status, lateByMs } of swept) {
        if (status !== 'sent') continue
        ids.add(id)
        metrics.promiseKept('scheduled_message', lateByMs ?? 0)
      }
      if (swept.length < SWEEP_LIMIT) return ids
    }
  }

  return {
    async includes(id) {
      // One that is under way may have begun before this message was due: then it counts only if it has it.
      if ((await sweep.current())?.has(id)) return true
      return (await sweep.join()).has(id)
    },
    async lookAround() {
      if (performance.now() - lastBegun >= LOOK_AROUND_EVERY_MS) await sweep.join()
    },
  }
}
