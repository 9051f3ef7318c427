import { defineSearchAttributeKey } from '@temporalio/common'
import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import type { Activities } from '../src/contracts/activities'
import type { DueOutcome, ScheduledMessageInput } from '../src/reminders/contract'
import { SEARCH_ATTRIBUTES } from '../src/contracts/temporal'

const DUE_AT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.dueAt, 'DATETIME')

// A database that is away comes back; a day is more than any of them has taken.
const patience = {
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '500 ms', maximumInterval: '15 s' },
} as const

const { deliverDue, cancelByOperator } = proxyLocalActivities<Activities>({ startToCloseTimeout: '20 s', ...patience })
// What began before there was one outgoing line may ask it.
const { sendOutside } = proxyActivities<Activities>({
  startToCloseTimeout: '25 s',
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '2 s', backoffCoefficient: 2, maximumInterval: '2 minutes' },
})

/** Keeps one promised message: waits until it is due, then sends it once; a cancel in Temporal is asked of the row. */
export async function scheduledMessageWorkflow({ id, sendAtMs }: ScheduledMessageInput): Promise<DueOutcome['state']> {
  try {
    await sleepUntil(sendAtMs)
    let outcome = await deliver(id)
    while (outcome.state === 'early' || outcome.state === 'repeats') {
      // Temporal's clock runs ahead of PostgreSQL's, which decides; quiet hours have moved it; or it is said until it is done.
      const summary = outcome.state === 'repeats' ? showRepeat(outcome) : showNewTime(outcome.dueAtMs)
      await sleep(outcome.waitMs, { summary })
      outcome = await deliver(id)
    }
    return outcome.state
  } catch (error) {
    if (!isCancellation(error)) throw error
    const { state } = await CancellationScope.nonCancellable(() => cancelByOperator(id))
    // The person has settled it, and so ended what would say it again: that is its outcome, and no cancel.
    if (state === 'acknowledged' || state === 'snoozed') return state
    throw error
  }
}

/** Operators see which time comes next, and find it by that. */
function showRepeat({ dueAtMs, number }: { dueAtMs: number; number: number }): string {
  const dueAt = new Date(dueAtMs)
  upsertSearchAttributes([{ key: DUE_AT, value: dueAt }])
  return `Until done: time ${number + 1}, at ${dueAt.toISOString()}`
}

/** Web messages are swept; the others are handed over to the outgoing line of their session. */
async function deliver(id: string): Promise<DueOutcome> {
  const outcome = await deliverDue(id)
  return outcome.state === 'outside' ? sendOutside(id) : outcome
}

/** Operators find it by its new time. Said only of what was moved, so that a history from before replays the same. */
function showNewTime(dueAtMs: number | undefined): string {
  if (dueAtMs === undefined) return 'Not due yet by the database clock'
  const dueAt = new Date(dueAtMs)
  upsertSearchAttributes([{ key: DUE_AT, value: dueAt }])
  return `Quiet hours until ${dueAt.toISOString()}`
}

/** The start was delayed until due; what is left of the wait is slept here. */
async function sleepUntil(dueMs: number): Promise<void> {
  const remainingMs = dueMs - Date.now()
  if (remainingMs > 0) await sleep(remainingMs, { summary: `Until ${new Date(dueMs).toISOString()}` })
}
