import {
  Client,
  Connection,
  isGrpcServiceError,
  ScheduleNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import type { TemporalConfig } from '../config'
import {
  AUTOMATION_RUN_WORKFLOW,
  DELIVERY_WORKFLOW,
  HEARTBEAT_SCHEDULE,
  INBOUND_WORKFLOW,
  KIND_AUTOMATION_RUN,
  KIND_DELIVERY,
  KIND_INBOUND,
  KIND_RUN,
  KIND_SCHEDULED_MESSAGE,
  RUN_WORKFLOW,
  SCHEDULED_MESSAGE_WORKFLOW,
  SEARCH_ATTRIBUTES,
} from '../contracts/temporal'
import { unavailable } from '../errors'
import { createAutomationSchedules } from './automation-schedules'
import { ensureSchedule, HEARTBEAT, OTHER_SYSTEM_SCHEDULES, registerSearchAttributes } from './ensure-temporal'
import { ENGINE_AWAY } from './scheduler'
import type { Scheduler, WorkflowState } from './scheduler'
import { temporalConnectionOptions } from './temporal-connection'
import { automationRunOptions, deliveryOptions, inboundOptions, messageOptions, runOptions } from './workflow-starts'

const CALL_DEADLINE_MS = 5_000
const CHECK_DEADLINE_MS = 2_000
const PAGE = 1_000

const BREAKABLE = [KIND_SCHEDULED_MESSAGE, KIND_RUN, KIND_DELIVERY, KIND_INBOUND, KIND_AUTOMATION_RUN]

const STATES: Partial<Record<string, WorkflowState>> = {
  RUNNING: 'open',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  FAILED: 'failed',
  TIMED_OUT: 'timed_out',
}

/** The only importer of @temporalio/client. Connects lazily, so that nothing waits for Temporal to be there. */
export async function createTemporalScheduler(
  config: TemporalConfig,
  clock: { now(): Promise<Date> },
): Promise<Scheduler> {
  const connection = Connection.lazy({ ...(await temporalConnectionOptions(config)), connectTimeout: CALL_DEADLINE_MS })
  const client = new Client({ connection, namespace: config.namespace })
  const within = <T>(call: () => Promise<T>, ms = CALL_DEADLINE_MS) =>
    connection.withDeadline(Date.now() + ms, call).catch((error: unknown) => {
      throw isAway(error) ? unavailable(ENGINE_AWAY, 'Temporal does not answer', undefined, error) : error
    })

  const knows = async (scheduleId: string) => {
    try {
      await within(() => client.schedule.getHandle(scheduleId).describe())
      return true
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return false
      throw error
    }
  }

  return {
    async startScheduledMessage(message) {
      const delayMs = message.sendAt.getTime() - (await clock.now()).getTime()
      const options = messageOptions(config, message, delayMs)
      await startOnce(within, () => client.workflow.start(SCHEDULED_MESSAGE_WORKFLOW, options))
    },

    async startRun(run) {
      await startOnce(within, () => client.workflow.start(RUN_WORKFLOW, runOptions(config, run)))
    },

    async startDelivery(delivery) {
      await startOnce(within, () => client.workflow.start(DELIVERY_WORKFLOW, deliveryOptions(config, delivery)))
    },

    async startInbound(inbound) {
      await startOnce(within, () => client.workflow.start(INBOUND_WORKFLOW, inboundOptions(config, inbound)))
    },

    async startAutomationRun(run) {
      await startOnce(within, () => client.workflow.start(AUTOMATION_RUN_WORKFLOW, automationRunOptions(config, run)))
    },

    async cancelWorkflow(workflowId) {
      try {
        await within(() => client.workflow.getHandle(workflowId).cancel())
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },

    async stateOf(workflowId) {
      try {
        const { status } = await within(() => client.workflow.getHandle(workflowId).describe())
        return STATES[status.name] ?? 'open'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'not_found'
        throw error
      }
    },

    async listBroken(since, limit) {
      const kinds = BREAKABLE.map((kind) => `'${kind}'`).join(', ')
      const query = `${SEARCH_ATTRIBUTES.kind} IN (${kinds})
        AND CloseTime > '${since.toISOString()}'
        AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled')`
      const found = await within(() => take(client.workflow.list({ query, pageSize: Math.min(limit, PAGE) }), limit))
      return found.map(({ workflowId, status }) => ({ workflowId, state: STATES[status.name] ?? 'open' }))
    },

    async listOpenPastDue(due, limit) {
      const query = `${SEARCH_ATTRIBUTES.kind} = '${KIND_SCHEDULED_MESSAGE}' AND ExecutionStatus = 'Running'
        AND ${SEARCH_ATTRIBUTES.dueAt} < '${due.toISOString()}'`
      const found = await within(() => take(client.workflow.list({ query, pageSize: Math.min(limit, PAGE) }), limit))
      return found.map(({ workflowId }) => workflowId)
    },

    automationSchedules: createAutomationSchedules(client, config.taskQueue, within),
    remembersUs: () => knows(HEARTBEAT_SCHEDULE),

    async ensureReady(beforeFirst) {
      if (!(await knows(HEARTBEAT_SCHEDULE))) {
        await within(() => registerSearchAttributes(connection, config.namespace))
        await beforeFirst()
        await within(() => ensureSchedule(client, config.taskQueue, HEARTBEAT))
      }
      for (const schedule of OTHER_SYSTEM_SCHEDULES) {
        if (!(await knows(schedule.scheduleId))) await within(() => ensureSchedule(client, config.taskQueue, schedule))
      }
    },

    async check() {
      await within(
        () => connection.workflowService.describeNamespace({ namespace: config.namespace }),
        CHECK_DEADLINE_MS,
      )
    },

    close: () => connection.close(),
  }
}

/** gRPC codes of an engine that is not there or overloaded: cancelled by our deadline, deadline, exhausted, unavailable. */
const AWAY_CODES = new Set([1, 4, 8, 14])

function isAway(error: unknown): boolean {
  const cause = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error
  return isGrpcServiceError(cause) && AWAY_CODES.has(cause.code)
}

type Within = <T>(call: () => Promise<T>) => Promise<T>

async function startOnce(within: Within, start: () => Promise<unknown>): Promise<void> {
  try {
    await within(start)
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}

async function take<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const taken: T[] = []
  for await (const item of items) if (taken.push(item) >= limit) break
  return taken
}
