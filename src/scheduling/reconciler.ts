import type { Logger } from 'pino'
import { runIdOf, runWorkflowId } from '../contracts/run'
import { scheduledMessageIdOf, scheduledMessageWorkflowId } from '../contracts/scheduled-message'
import type { ScheduledMessage } from '../contracts/scheduled-message'
import type { DeliveryStore } from '../store/deliveries'
import type { EventStore } from '../store/event-store'
import type { InboundStore } from '../store/inbound'
import type { MarkStore } from '../store/mark-store'
import type { OutboxStore } from '../store/outbox-store'
import type { PushStore } from '../store/pushes'
import type { RunStore } from '../store/runs'
import type { ScheduledMessageStore } from '../store/scheduled-messages'
import type { TurnStore } from '../store/turn-store'
import type { AutomationKeeper } from './automation-keeper'
import { mendLines } from './mend-lines'
import type { OutboxDispatcher } from './outbox-dispatcher'
import type { Scheduler, WorkflowState } from './scheduler'

const OVERDUE_SECONDS = 60
/** Visibility lags behind, so every pass looks back over the passes before it. */
const LOOK_BACK_MS = 10 * 60_000
const BATCH = 500
const BROKEN_LIMIT = 5_000
/** A run of this age is looked after: its workflow should be there. */
const STALE_RUN_SECONDS = 60
const EVENTS_KEPT_DAYS = 7
const MARK = 'scheduled_message.broken_seen_until'

const ENDED = { failed: 'failed', timed_out: 'timed out', completed: 'ended without keeping it' } as const

/** What one pass mended. */
export interface Repairs {
  turnsClosed: number
  told: number
  restarted: number
  cancelled: number
  failed: number
  workflowsEnded: number
  automationsChanged: number
  slotsMissed: number
  runsMended: number
}

export interface ReconcilerParts {
  turns: TurnStore
  events: EventStore
  outbox: OutboxStore
  dispatcher: OutboxDispatcher
  messages: ScheduledMessageStore
  runs: RunStore
  automationKeeper: AutomationKeeper
  deliveries: DeliveryStore
  inbound: InboundStore
  marks: MarkStore
  pushes: Pick<PushStore, 'prune'>
  scheduler: Scheduler
  clock: { now(): Promise<Date> }
  logger: Logger
}

export type Reconciler = () => Promise<Repairs>

/** One pass over everything a crash, an operator or a lost database may have left half done. Each step is bounded. */
export function createReconciler(parts: ReconcilerParts): Reconciler {
  return async () => {
    const turnsClosed = await parts.turns.closeExpired(BATCH)
    const overdue = await mendOverdue(parts)
    const broken = await mendBroken(parts)
    const stale = await mendStaleRuns(parts)
    const automations = await parts.automationKeeper.mend()
    const told = await parts.dispatcher.drain()
    const workflowsEnded = await endUseless(parts)
    await parts.events.prune(EVENTS_KEPT_DAYS, 10_000)
    await parts.pushes.prune(10_000)
    return {
      turnsClosed,
      told,
      restarted: overdue.restarted + broken.restarted + stale.restarted,
      cancelled: overdue.cancelled + broken.cancelled + stale.cancelled,
      failed: overdue.failed + broken.failed + stale.failed,
      workflowsEnded,
      ...automations,
    }
  }
}

type Mended = Pick<Repairs, 'restarted' | 'cancelled' | 'failed'>

/** Pending long past due: Temporal says why. */
async function mendOverdue(parts: ReconcilerParts): Promise<Mended> {
  const mended: Mended = { restarted: 0, cancelled: 0, failed: 0 }
  for (const message of await parts.messages.listOverdue(OVERDUE_SECONDS, BATCH)) {
    const state = await parts.scheduler.stateOf(scheduledMessageWorkflowId(message.id))
    await mend(parts, message, state, mended)
  }
  return mended
}

/** Workflows that an operator terminated, or that broke, although their promise is not due yet. */
async function mendBroken(parts: ReconcilerParts): Promise<Mended> {
  const mended: Mended = { restarted: 0, cancelled: 0, failed: 0 }
  const now = await parts.clock.now()
  const seen = (await parts.marks.readTime(MARK)) ?? now
  const since = new Date(Math.min(seen.getTime(), now.getTime()) - LOOK_BACK_MS)
  const broken = await parts.scheduler.listBroken(since, BROKEN_LIMIT)
  const states = new Map(broken.map(({ workflowId, state }) => [workflowId, state]))
  const messageIds = [...states.keys()].filter((id) => id.startsWith(scheduledMessageWorkflowId('')))
  for (const message of await parts.messages.filterByPending(messageIds.map(scheduledMessageIdOf), true)) {
    await mend(parts, message, states.get(scheduledMessageWorkflowId(message.id)) ?? 'open', mended)
  }
  const runIds = [...states.keys()].filter((id) => id.startsWith(runWorkflowId('')))
  for (const run of await parts.runs.filterRunning(runIds.map(runIdOf))) {
    await mendRun(parts, run.id, states.get(runWorkflowId(run.id)) ?? 'open', mended)
  }
  const lines = await mendLines(parts, states)
  mended.restarted += lines.restarted
  mended.failed += lines.failed
  mended.cancelled += await parts.automationKeeper.mendBroken(states)
  // A full page may have hidden older ones: the mark waits until a pass has seen everything.
  if (broken.length < BROKEN_LIMIT) await parts.marks.writeTime(MARK, now)
  return mended
}

/** Runs that should have told something by now: Temporal says why not. */
async function mendStaleRuns(parts: ReconcilerParts): Promise<Mended> {
  const mended: Mended = { restarted: 0, cancelled: 0, failed: 0 }
  for (const run of await parts.runs.listStale(STALE_RUN_SECONDS, BATCH)) {
    await mendRun(parts, run.id, await parts.scheduler.stateOf(runWorkflowId(run.id)), mended)
  }
  return mended
}

async function mendRun(parts: ReconcilerParts, id: string, state: WorkflowState, mended: Mended): Promise<void> {
  if (state === 'open') return
  if (state === 'not_found') {
    await parts.outbox.requeue('start_run', id)
    mended.restarted++
    return
  }
  const byOperator = state === 'terminated' || state === 'cancelled'
  const reason = byOperator ? `${state} by operator` : `the workflow ${ENDED[state]}`
  if (await parts.runs.cancel(id, { reason, workflowKnows: true })) mended.cancelled++
}

async function mend(
  parts: ReconcilerParts,
  message: ScheduledMessage,
  state: WorkflowState,
  mended: Mended,
): Promise<void> {
  if (state === 'not_found') {
    await parts.outbox.requeue('start_scheduled_message', message.id)
    mended.restarted++
  } else if (state === 'terminated' || state === 'cancelled') {
    const reason = state === 'terminated' ? 'terminated by operator' : 'cancelled by operator'
    const won = await parts.messages.cancel({
      sessionKey: message.sessionId,
      id: message.id,
      reason,
      workflowKnows: true,
    })
    mended.cancelled += won.length
  } else if (state !== 'open') {
    await parts.messages.fail(message.id, `the workflow ${ENDED[state]}`)
    mended.failed++
  }
}

/** Open workflows whose message has ended (a cancel that Temporal never heard of). */
async function endUseless({ scheduler, messages, clock }: ReconcilerParts): Promise<number> {
  const due = new Date((await clock.now()).getTime() - OVERDUE_SECONDS * 1_000)
  const open = await scheduler.listOpenPastDue(due, BATCH)
  const ended = await messages.filterByPending(open.map(scheduledMessageIdOf), false)
  for (const { id } of ended) await scheduler.cancelWorkflow(scheduledMessageWorkflowId(id))
  return ended.length
}
