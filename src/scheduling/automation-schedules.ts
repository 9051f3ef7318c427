import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, ScheduleOptions, ScheduleSpec, ScheduleUpdateOptions } from '@temporalio/client'
import { automationIdOf, automationRunWorkflowId, automationScheduleId, CATCH_UP_MS } from '../contracts/automation'
import type { Automation } from '../contracts/automation'
import type { RecurrenceSpec } from '../contracts/recurrence'
import { AUTOMATION_RUN_WORKFLOW, KIND_AUTOMATION, KIND_AUTOMATION_RUN, SEARCH_ATTRIBUTES } from '../contracts/temporal'
import { describeRecurrence, toScheduleSpec } from '../recurrence'
import { attributesOf } from './search-attributes'

type Within = <T>(call: () => Promise<T>) => Promise<T>

/** Temporal Schedules of automations: made what the row says, and looked at for what an operator did to them. */
export function createAutomationSchedules(client: Client, taskQueue: string, within: Within) {
  return {
    async put(automation: Automation): Promise<void> {
      const wanted = describe(automation, taskQueue)
      const { scheduleId, typedSearchAttributes, memo: _memo, ...changeable } = wanted
      try {
        await within(() => client.schedule.create(wanted))
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error
        const update: ScheduleUpdateOptions = { ...changeable, typedSearchAttributes, state: changeable.state ?? {} }
        await within(() => client.schedule.getHandle(scheduleId).update(() => update))
      }
    },

    async remove(id: string): Promise<void> {
      try {
        await within(() => client.schedule.getHandle(automationScheduleId(id)).delete())
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error
      }
    },

    /** Whether it is there, and paused; asked one by one, because the list may lag behind. */
    async look(id: string): Promise<'running' | 'paused' | 'absent'> {
      try {
        const { state } = await within(() => client.schedule.getHandle(automationScheduleId(id)).describe())
        return state.paused ? 'paused' : 'running'
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return 'absent'
        throw error
      }
    },

    async list(limit: number): Promise<Map<string, { paused: boolean }>> {
      const query = `${SEARCH_ATTRIBUTES.kind} = '${KIND_AUTOMATION}'`
      const found = new Map<string, { paused: boolean }>()
      await within(async () => {
        for await (const { scheduleId, state } of client.schedule.list({ query, pageSize: 1_000 })) {
          found.set(automationIdOf(scheduleId), { paused: state.paused })
          if (found.size >= limit) break
        }
      })
      return found
    },
  }
}

/** Ids, the zone and the rhythm; never a person's words. */
function describe(automation: Automation, taskQueue: string): ScheduleOptions {
  const { id, botUuid, sessionKey, recurrence, timezone, createdAt, endsAt, state } = automation
  return {
    scheduleId: automationScheduleId(id),
    spec: { ...toSpec(toScheduleSpec(recurrence, createdAt)), ...(endsAt ? { endAt: endsAt } : {}) },
    // Five slots during one long turn are one run and one that waits; the others are recorded as missed.
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: CATCH_UP_MS },
    action: {
      type: 'startWorkflow',
      workflowType: AUTOMATION_RUN_WORKFLOW,
      workflowId: automationRunWorkflowId(id),
      taskQueue,
      args: [{ automationId: id }],
      staticSummary: `Automation: ${describeRecurrence(recurrence, 'en')}, ${timezone}`,
      typedSearchAttributes: attributesOf({ kind: KIND_AUTOMATION_RUN, botUuid, sessionKey }),
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
  return { intervals: [{ every: spec.intervalSeconds * 1_000, offset: spec.offsetSeconds * 1_000 }] }
}
