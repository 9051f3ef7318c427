import type { ScheduleOptions, ScheduleSpec } from '@temporalio/client'
import { automationIdOf, automationRunWorkflowId, automationScheduleId, CATCH_UP_MS } from './contract'
import type { Automation } from './contract'
import type { RecurrenceSpec } from '../time/recurrence/contract'
import { AUTOMATION_RUN_WORKFLOW, KIND_AUTOMATION, KIND_AUTOMATION_RUN } from '../contracts/temporal'
import { describeRecurrence, toScheduleSpec } from '../time'
import { attributesOf } from '../engine/temporal/search-attributes'
import type { Schedules } from '../engine/temporal/schedules'
import { AppError } from '../errors'
import type { AutomationStore } from './sql'

/** What happens once is late rather than never. */
const ONE_SHOT_CATCH_UP_MS = 365 * 86_400_000
const SYNC_TRIES = 5

export type AutomationSchedules = ReturnType<typeof createAutomationSchedules>

/** The Temporal Schedules of automations. */
export function createAutomationSchedules({
  schedules,
  automations,
  clock,
  taskQueue,
}: {
  schedules: Schedules
  automations: Pick<AutomationStore, 'findForSync' | 'markSynced'>
  clock: { now(): Promise<Date> }
  taskQueue: string
}) {
  return {
    /** Makes the schedule what the row says now; a row that moved on meanwhile is told again, so the last word wins. */
    async sync(id: string): Promise<void> {
      for (let tried = 0; tried < SYNC_TRIES; tried++) {
        const automation = await automations.findForSync(id)
        if (automation) await schedules.put(describe(automation, taskQueue, await clock.now()))
        else await schedules.remove(automationScheduleId(id))
        if (await automations.markSynced(id, automation?.version ?? null)) return
      }
      throw new AppError('automation_restless', 'the automation changed faster than Temporal could be told')
    },

    look: (id: string) => schedules.look(automationScheduleId(id)),

    /** By the ids of the automations. */
    async list(limit: number): Promise<Map<string, { paused: boolean }>> {
      const found = await schedules.list(KIND_AUTOMATION, limit)
      return new Map([...found].map(([scheduleId, state]) => [automationIdOf(scheduleId), state]))
    },
  }
}

/** Ids, the zone and the rhythm; never a person's words. */
function describe(automation: Automation, taskQueue: string, now: Date): ScheduleOptions {
  const { id, botUuid, sessionKey, recurrence, timezone, createdAt, endsAt, state } = automation
  return {
    scheduleId: automationScheduleId(id),
    spec: { ...toSpec(toScheduleSpec(recurrence, createdAt, now)), ...(endsAt ? { endAt: endsAt } : {}) },
    // Five slots during one long turn are one run and one that waits; the others are recorded as missed.
    policies: {
      overlap: 'BUFFER_ONE',
      catchupWindow: recurrence.kind === 'at' ? ONE_SHOT_CATCH_UP_MS : CATCH_UP_MS,
    },
    action: {
      type: 'startWorkflow',
      workflowType: AUTOMATION_RUN_WORKFLOW,
      workflowId: automationRunWorkflowId(id),
      taskQueue,
      args: [{ automationId: id }],
      staticSummary: `Automation: ${describeRecurrence(recurrence, 'en')}, ${timezone}`,
      typedSearchAttributes: attributesOf({ kind: KIND_AUTOMATION_RUN, botUuid, sessionKey, outcome: true }),
    },
    state: {
      paused: state !== 'active',
      note: 'Punctual keeps this as its row says. Pausing or deleting it here is heard.',
    },
    typedSearchAttributes: attributesOf({ kind: KIND_AUTOMATION, botUuid, sessionKey }),
  }
}

function toSpec(spec: RecurrenceSpec): ScheduleSpec {
  if ('cronExpressions' in spec) return spec
  const { intervalSeconds, offsetSeconds, ...bounds } = spec
  return { ...bounds, intervals: [{ every: intervalSeconds * 1_000, offset: offsetSeconds * 1_000 }] }
}
