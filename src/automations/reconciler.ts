import { automationSlotWorkflowId, CATCH_UP_MS } from './contract'
import type { Automation } from './contract'
import { nextRuns } from '../time'
import type { SharedSessions } from '../conversation/shared-session'
import type { AutomationStore } from './sql'
import type { MarkStore } from '../engine/mark-store'
import type { OutboxStore } from '../engine/outbox-store'
import type { SessionStore } from '../conversation/sql/session-store'
import type { AutomationSchedules } from './schedules'
import { nextRunOf, sessionOf, whereHeard } from './slots'
import { SYNC_AUTOMATION } from './sql/tell-schedule'
import type { EachAlone } from '../engine/each-alone'
import type { ReconcilerStep } from '../engine/reconciler'
import { readGeneration } from '../engine/temporal/temporal-incarnation'
import type { Scheduler } from '../engine/temporal/temporal-scheduler'

const BATCH = 500
/** Compared with one list of Temporal's, so that a pass may look at many. */
const COMPARED = 5_000
/** Temporal catches up within ten minutes; a little later a slot without a run is missed for good. */
const MISSED_AFTER_SECONDS = CATCH_UP_MS / 1_000 + 60
/** A longer absence of a frequent automation is told in several passes; of one pass the newest are recorded one by one. */
const MISSED_AT_ONCE = 10_000
const MISSED_RECORDED = 500
const SYNCED_SECONDS = 30
/** A rule of every minute is told two weeks ahead, any other a year. */
const RENEWED_AFTER_DAYS = 5
const MARK = 'automations.compared_until'
const RUNS_KEPT = 500
const PRUNED_AT_ONCE = 50
const PRUNED_MARK = 'automation_run.pruned_until'

export interface AutomationReconcilerParts {
  automations: AutomationStore
  sessions: SessionStore
  shared: SharedSessions
  outbox: OutboxStore
  marks: MarkStore
  scheduler: Pick<Scheduler, 'heartbeat'>
  schedules: Pick<AutomationSchedules, 'look' | 'list'>
  clock: { now(): Promise<Date> }
  /** How many are compared with Temporal's schedules in one pass; the next pass goes on behind them. */
  comparedAtOnce?: number
}

/** What the reconciler does for automations, before Temporal is told what waits in the outbox. */
export function automationSteps(parts: AutomationReconcilerParts): ReconcilerStep[] {
  return [
    { name: 'missed_slots', repairs: 'slotsMissed', run: (each) => recordMissedSlots(parts, each) },
    { name: 'operators', repairs: 'automationsChanged', run: (each) => hearOperators(parts, each) },
    { name: 'renewed_dates', run: (each) => renewDates(parts, each) },
    { name: 'resumed', run: (each) => resumePaused(parts, each) },
    { name: 'prune_automation_runs', run: () => pruneRuns(parts) },
  ]
}

async function pruneRuns({ automations, marks }: AutomationReconcilerParts): Promise<number> {
  const after = await marks.readText(PRUNED_MARK)
  await marks.writeText(PRUNED_MARK, await automations.pruneRuns(RUNS_KEPT, after, PRUNED_AT_ONCE))
  return 0
}

/** Records the slots that nobody took: Temporal dropped them (its catch-up window, its full buffer). */
async function recordMissedSlots(parts: AutomationReconcilerParts, eachAlone: EachAlone): Promise<number> {
  const now = await parts.clock.now()
  const due = await parts.automations.listToAccount(MISSED_AFTER_SECONDS, BATCH)
  return eachAlone(
    due,
    ({ automation }) => automation.id,
    async ({ automation, from, to }) => {
      const { recurrence, endsAt, createdAt } = automation
      const slots = slotsBetween(
        { from, to: endsAt && endsAt < to ? endsAt : to, limit: MISSED_AT_ONCE },
        (after, count) => nextRuns(recurrence, after, count, createdAt).map(({ at }) => at),
      )
      const until = slots.length === MISSED_AT_ONCE ? slots.at(-1)! : to
      const sessionKey = await sessionOf(parts, automation)
      const isLate = automation.recurrence.kind === 'at' && automation.state === 'active'
      if (isLate && slots[0]) await queueLate(parts, { automation, sessionKey, slot: slots[0] }, now)
      const recorded = isLate ? [] : slots.slice(-MISSED_RECORDED)
      const unrecorded = Math.max(0, slots.length - MISSED_RECORDED)
      const nextRunAt = nextRunOf(automation, now)
      return parts.automations.recordMissed(automation, { sessionKey, slots: recorded, unrecorded, until, nextRunAt })
    },
  )
}

/**
 * The slots after a moment up to another, at most so many. They are asked for a few at a time: most passes find none, and the
 * thousandth run of a minute's automation costs as much as the first.
 */
export function slotsBetween(
  { from, to, limit }: { from: Date; to: Date; limit: number },
  runsAfter: (after: Date, count: number) => Date[],
): Date[] {
  const slots: Date[] = []
  for (let count = 1; slots.length < limit; count *= 2) {
    const next = runsAfter(slots.at(-1) ?? from, Math.min(count, limit - slots.length))
    const due = next.filter((at) => at <= to)
    slots.push(...due)
    if (due.length < next.length || next.length === 0) break
  }
  return slots
}

/** What happens once is not missed: it gets its run now, and its workflow as every run whose workflow was lost. */
async function queueLate(
  { automations }: AutomationReconcilerParts,
  { automation: { id: automationId }, sessionKey, slot }: { automation: Automation; sessionKey: string; slot: Date },
  now: Date,
): Promise<void> {
  const workflowId = automationSlotWorkflowId(automationId, slot)
  await automations.queue({ automationId, sessionKey, slot, startedAt: now, workflowId, nextRunAt: null })
}

/** Tells Temporal anew the dates of rules that it cannot compute by itself, long before those it has run out. */
async function renewDates({ automations, outbox }: AutomationReconcilerParts, eachAlone: EachAlone): Promise<number> {
  return eachAlone(
    await automations.listToRenew(RENEWED_AFTER_DAYS, BATCH),
    (id) => id,
    async (id) => ((await outbox.requeue(SYNC_AUTOMATION, id)) ? 1 : 0),
  )
}

/** Switches on what only waited for a new day's budget. */
async function resumePaused(
  { automations, shared, clock }: AutomationReconcilerParts,
  eachAlone: EachAlone,
): Promise<number> {
  return eachAlone(
    await automations.listToResume(BATCH),
    ({ id }) => id,
    async (automation) => {
      const nextRunAt = nextRunOf(automation, await clock.now())
      const ifVersion = automation.version
      const heardIn = await whereHeard(shared, automation)
      const change = { state: 'active', reason: null, nextRunAt, ifVersion, heardIn } as const
      return (await automations.change(automation.id, change)) ? 1 : 0
    },
  )
}

/** What an operator paused, resumed or deleted in Temporal is so in the row, unless the row changed since. */
async function hearOperators(parts: AutomationReconcilerParts, eachAlone: EachAlone): Promise<number> {
  const { automations, schedules, marks, comparedAtOnce = COMPARED } = parts
  const settled = await automations.listSynced(SYNCED_SECONDS, await marks.readText(MARK), comparedAtOnce)
  await marks.writeText(MARK, settled.length < comparedAtOnce ? null : settled.at(-1)!.id)
  if (settled.length === 0) return 0
  const listed = await schedules.list(10_000)
  const generation = await readGeneration(marks)
  await automations.markSeen([...listed.keys()], generation)
  const differing = settled.filter(({ id, state }) => listed.get(id)?.paused !== (state !== 'active'))
  return eachAlone(
    differing,
    ({ id }) => id,
    (automation) => hearOperator(parts, automation, generation),
  )
}

/** The list may lag behind, so each that differs is looked at by itself. */
async function hearOperator(
  parts: AutomationReconcilerParts,
  automation: Automation & { seenGeneration: number | null },
  generation: number,
): Promise<number> {
  const { automations, outbox, scheduler, schedules, shared, clock } = parts
  const { id, version: ifVersion, state } = automation
  const heardIn = await whereHeard(shared, automation)
  const by = { ifVersion, scheduleKnows: true, tellPerson: true, heardIn }
  const now = await schedules.look(id)
  if (now === 'absent') {
    // Only what was seen there can have been deleted by somebody; else Temporal has lost it, and is told again.
    if (automation.seenGeneration === generation && (await scheduler.heartbeat())) {
      return (await automations.remove(id, { ...by, reason: 'deleted by operator' })) ? 1 : 0
    }
    return (await outbox.requeue(SYNC_AUTOMATION, id)) ? 1 : 0
  }
  if (now === 'paused' && state === 'active') {
    return (await automations.change(id, { ...by, state: 'paused', reason: 'paused by operator' })) ? 1 : 0
  }
  if (now === 'running' && state !== 'active') {
    const nextRunAt = nextRunOf(automation, await clock.now())
    const change = { ...by, state: 'active', reason: 'resumed by operator', nextRunAt } as const
    return (await automations.change(id, change)) ? 1 : 0
  }
  return 0
}
