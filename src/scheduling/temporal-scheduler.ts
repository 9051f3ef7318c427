import {
  Client,
  Connection,
  ScheduleNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common'
import { DateTime } from 'luxon'
import type { TemporalConfig } from '../config'
import { scheduledMessageWorkflowId } from '../contracts/scheduled-message'
import {
  HEARTBEAT_SCHEDULE,
  KIND_SCHEDULED_MESSAGE,
  SCHEDULED_MESSAGE_WORKFLOW,
  SEARCH_ATTRIBUTES,
} from '../contracts/temporal'
import { ensureHeartbeat, registerSearchAttributes } from './ensure-temporal'
import type { MessageStart, Scheduler, WorkflowState } from './scheduler'
import { temporalConnectionOptions } from './temporal-connection'

const CALL_DEADLINE_MS = 5_000
const CHECK_DEADLINE_MS = 2_000

const KIND = defineSearchAttributeKey(SEARCH_ATTRIBUTES.kind, 'KEYWORD')
const BOT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.bot, 'KEYWORD')
const SESSION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.session, 'KEYWORD')
const DUE_AT = defineSearchAttributeKey(SEARCH_ATTRIBUTES.dueAt, 'DATETIME')

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
  const within = <T>(call: () => Promise<T>, ms = CALL_DEADLINE_MS) => connection.withDeadline(Date.now() + ms, call)

  return {
    async startScheduledMessage(message) {
      const delayMs = message.sendAt.getTime() - (await clock.now()).getTime()
      try {
        await within(() =>
          client.workflow.start(SCHEDULED_MESSAGE_WORKFLOW, {
            ...describeMessage(message),
            ...startOptions(config, message, delayMs),
          }),
        )
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
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
      const query = `${SEARCH_ATTRIBUTES.kind} = '${KIND_SCHEDULED_MESSAGE}' AND CloseTime > '${since.toISOString()}'
        AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled')`
      const found = await within(() => take(client.workflow.list({ query, pageSize: limit }), limit))
      return found.map(({ workflowId, status }) => ({ workflowId, state: STATES[status.name] ?? 'open' }))
    },

    async listOpenPastDue(due, limit) {
      const query = `${SEARCH_ATTRIBUTES.kind} = '${KIND_SCHEDULED_MESSAGE}' AND ExecutionStatus = 'Running'
        AND ${SEARCH_ATTRIBUTES.dueAt} < '${due.toISOString()}'`
      const found = await within(() => take(client.workflow.list({ query, pageSize: limit }), limit))
      return found.map(({ workflowId }) => workflowId)
    },

    async ensureReady(beforeFirst) {
      try {
        await within(() => client.schedule.getHandle(HEARTBEAT_SCHEDULE).describe())
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error
        await within(() => registerSearchAttributes(connection, config.namespace))
        await beforeFirst()
        await within(() => ensureHeartbeat(client, config.taskQueue))
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

function startOptions(config: TemporalConfig, message: MessageStart, delayMs: number) {
  return {
    workflowId: scheduledMessageWorkflowId(message.id),
    taskQueue: config.taskQueue,
    args: [{ id: message.id, sendAtMs: message.sendAt.getTime() }],
    // Until it is due a delayed start costs no worker and no cache; a cancel still wakes it at once.
    startDelay: Math.max(0, Math.floor(delayMs)),
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
  }
}

/** What an operator reads: due when, for which bot and session. Never the text. */
function describeMessage(message: MessageStart) {
  const local = DateTime.fromJSDate(message.sendAt, { zone: message.timezone }).toFormat('yyyy-MM-dd HH:mm:ss')
  return {
    staticSummary: `Private message, due ${local} ${message.timezone}`,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: KIND, value: KIND_SCHEDULED_MESSAGE },
      { key: BOT, value: message.botUuid },
      { key: SESSION, value: message.sessionKey },
      { key: DUE_AT, value: message.sendAt },
    ]),
  }
}

async function take<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const taken: T[] = []
  for await (const item of items) if (taken.push(item) >= limit) break
  return taken
}
