import type { Logger } from 'pino'
import { CATCH_UP_MS, legacySessionKey } from '../contracts/automation'
import type { Automation, QueueOutcome } from '../contracts/automation'
import type { NextRun } from '../contracts/recurrence'
import { AppError } from '../errors'
import { nextRuns } from '../recurrence'
import type { AutomationStore } from '../store/automations'
import type { OpenRun } from '../store/automations/upkeep'
import type { SessionStore } from '../store/session-store'
import type { Scheduler, WorkflowState } from './scheduler'

const BATCH = 500
/** Temporal catches up within ten minutes; a little later a slot without a run is missed for good. */
const MISSED_AFTER_SECONDS = CATCH_UP_MS / 1_000 + 120
const MISSED_AT_ONCE = 100
const SYNCED_SECONDS = 30
const STALE_RUN_SECONDS = 60
const RUNS_KEPT = 500

export interface AutomationKeeperParts {
  automations: AutomationStore
  sessions: SessionStore
  scheduler: Scheduler
  clock: { now(): Promise<Date> }
  logger: Logger
}

export type AutomationKeeper = ReturnType<typeof createAutomationKeeper>

/** What happens to automations without a person: slots fall due, are missed, and operators change schedules. */
export function createAutomationKeeper(parts: AutomationKeeperParts) {
  const { automations, clock } = parts
  return {
    /** A slot is due. */
    async queue(due: { automationId: string; slot: Date; startedAt: Date; workflowId: string }): Promise<QueueOutcome> {
      const automation = await automations.find(due.automationId)
      if (!automation) return { state: 'gone' }
      const now = await clock.now()
      const after = new Date(Math.max(now.getTime(), due.slot.getTime()))
      const sessionKey = await sessionOf(parts, automation)
      return automations.queue({ ...due, sessionKey, nextRunAt: nextRunOf(automation, after) })
    },

    stop: (runId: string, state: 'cancelled' | 'failed', error: string) => automations.stopRun(runId, { state, error }),

    /** One pass of the reconciler over automations. */
    async mend(): Promise<{ automationsChanged: number; slotsMissed: number; runsMended: number }> {
      const slotsMissed = await accountForSlots(parts)
      const automationsChanged = await hearOperators(parts)
      const runsMended = await mendStaleRuns(parts)
      await automations.pruneRuns(RUNS_KEPT, BATCH)
      return { automationsChanged, slotsMissed, runsMended }
    },

    /** Workflows of runs that ended otherwise than by completing. */
    async mendBroken(states: Map<string, WorkflowState>): Promise<number> {
      let mended = 0
      for (const run of await automations.filterOpenRuns([...states.keys()])) {
        mended += await mendRun(parts, run, states.get(run.workflowId ?? '') ?? 'open')
      }
      return mended
    },
  }
}

/** The next slot that will really be run, if there is one. */
export function nextRunOf(automation: Automation, after: Date): Date | null {
  return upcoming(automation, after, 1)[0]?.at ?? null
}

export function upcoming(automation: Automation, after: Date, count: number): NextRun[] {
  const { recurrence, createdAt, endsAt, maxRuns, runsCount } = automation
  const left = maxRuns === null ? count : Math.min(count, Math.max(0, maxRuns - runsCount))
  return nextRuns(recurrence, after, left, createdAt).filter(({ at }) => !endsAt || at <= endsAt)
}

/** A bound automation has its session; an imported job thinks in one of its own, which no other bot's job may share. */
async function sessionOf({ sessions }: AutomationKeeperParts, automation: Automation): Promise<string> {
  if (automation.sessionKey !== null) return automation.sessionKey
  const { botUuid, timezone, language, name: title } = automation
  const open = (sessionKey: string) =>
    sessions.findOrCreate({
      ...{ sessionKey, botUuid, timezone, language, title },
      ...{ channel: 'web', launcherType: 'person', launcherId: sessionKey, pipelineUuid: null },
    })
  const key = legacySessionKey(automation.legacy?.oldId ?? automation.id)
  const session = await open(key)
  return session.botUuid === botUuid ? key : (await open(`${key}:${botUuid}`)).sessionKey
}

async function accountForSlots(parts: AutomationKeeperParts): Promise<number> {
  let missed = 0
  const now = await parts.clock.now()
  for (const { automation, from, to } of await parts.automations.listToAccount(MISSED_AFTER_SECONDS, BATCH)) {
    const slots = nextRuns(automation.recurrence, from, MISSED_AT_ONCE, automation.createdAt)
      .map(({ at }) => at)
      .filter((at) => at <= to && (!automation.endsAt || at <= automation.endsAt))
    // A long absence of a frequent automation is told in several passes.
    const until = slots.length === MISSED_AT_ONCE ? slots[slots.length - 1]! : to
    const account = {
      sessionKey: await sessionOf(parts, automation),
      slots,
      until,
      nextRunAt: nextRunOf(automation, now),
    }
    missed += await parts.automations.recordMissed(automation, account).catch(orNothing(0))
  }
  return missed
}

/** What an operator paused, resumed or deleted in Temporal is so in the row, unless the row changed since. */
async function hearOperators({ automations, scheduler, clock }: AutomationKeeperParts): Promise<number> {
  const settled = await automations.listSynced(SYNCED_SECONDS, BATCH)
  if (settled.length === 0) return 0
  const listed = await scheduler.automationSchedules.list(10_000)
  let changed = 0
  for (const automation of settled) {
    const { id, version: ifVersion, state } = automation
    const seen = listed.get(id)
    if (seen && seen.paused === (state !== 'active')) continue
    const now = await scheduler.automationSchedules.look(id)
    const by = { ifVersion, scheduleKnows: true }
    if (now === 'absent') {
      // A Temporal that has lost everything is told again by the caretaker; that is no operator's wish.
      if (!(await scheduler.remembersUs())) return changed
      changed += (await automations.remove(id, { ...by, reason: 'deleted by operator' })) ? 1 : 0
    } else if (now === 'paused' && state === 'active') {
      changed += (await automations.change(id, { ...by, state: 'paused', reason: 'paused by operator' })) ? 1 : 0
    } else if (now === 'running' && state !== 'active') {
      const nextRunAt = nextRunOf(automation, await clock.now())
      changed += (await automations.change(id, { ...by, state: 'active', reason: 'resumed by operator', nextRunAt }))
        ? 1
        : 0
    }
  }
  return changed
}

async function mendStaleRuns(parts: AutomationKeeperParts): Promise<number> {
  let mended = 0
  for (const run of await parts.automations.listStaleRuns(STALE_RUN_SECONDS, BATCH)) {
    const state = run.workflowId === null ? 'completed' : await parts.scheduler.stateOf(run.workflowId)
    mended += await mendRun(parts, run, state)
  }
  return mended
}

async function mendRun(
  { automations, scheduler }: AutomationKeeperParts,
  run: OpenRun,
  state: WorkflowState,
): Promise<number> {
  if (state === 'open') return 0
  if (state === 'not_found' && run.workflowId !== null) {
    await scheduler.startAutomationRun({ ...run, workflowId: run.workflowId })
    return 1
  }
  const byOperator = state === 'terminated' || state === 'cancelled'
  const stop = byOperator
    ? { state: 'cancelled' as const, error: `${state} by operator` }
    : { state: 'failed' as const, error: 'the workflow ended without an answer' }
  return (await automations.stopRun(run.id, stop)) ? 1 : 0
}

/** A session that was deleted meanwhile has nothing to mend. */
const orNothing =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (error instanceof AppError && error.code === 'not_found') return nothing
    throw error
  }
