import {
  Client,
  Connection,
  isGrpcServiceError,
  ScheduleNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common'
import { DateTime } from 'luxon'
import type { TemporalConfig } from '../config'
import { deliveryWorkflowId } from '../contracts/delivery'
import { inboundWorkflowId } from '../contracts/inbound'
import { runWorkflowId } from '../contracts/run'
import { scheduledMessageWorkflowId } from '../contracts/scheduled-message'
import {
  DELIVERY_WORKFLOW,
  HEARTBEAT_SCHEDULE,
  INBOUND_WORKFLOW,
  KIND_DELIVERY,
  KIND_INBOUND,
  KIND_RUN,
  KIND_SCHEDULED_MESSAGE,
  RUN_WORKFLOW,
  SCHEDULED_MESSAGE_WORKFLOW,
  SEARCH_ATTRIBUTES,
} from '../contracts/temporal'
import { unavailable } from '../errors'
import { ensureHeartbeat, registerSearchAttributes } from './ensure-temporal'
import { ENGINE_AWAY } from './scheduler'
import type { LineStart, MessageStart, RunStart, Scheduler, WorkflowState } from './scheduler'
import { temporalConnectionOptions } from './temporal-connection'

const CALL_DEADLINE_MS = 5_000
const CHECK_DEADLINE_MS = 2_000
const PAGE = 1_000

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
  const within = <T>(call: () => Promise<T>, ms = CALL_DEADLINE_MS) =>
    connection.withDeadline(Date.now() + ms, call).catch((error: unknown) => {
      throw isAway(error) ? unavailable(ENGINE_AWAY, 'Temporal does not answer', undefined, error) : error
    })

  return {
    async startScheduledMessage(message) {
      const delayMs = message.sendAt.getTime() - (await clock.now()).getTime()
      const options = { ...describeMessage(message), ...startOptions(config, message, delayMs) }
      await startOnce(within, () => client.workflow.start(SCHEDULED_MESSAGE_WORKFLOW, options))
    },

    async startRun(run) {
      await startOnce(within, () => client.workflow.start(RUN_WORKFLOW, runOptions(config, run)))
    },

    async startDelivery(delivery) {
      const workflowId = deliveryWorkflowId(delivery.id)
      const options = lineOptions(config, delivery, KIND_DELIVERY, 'Message on its way to its platform')
      await startOnce(within, () => client.workflow.start(DELIVERY_WORKFLOW, { workflowId, ...options }))
    },

    async startInbound(inbound) {
      const workflowId = inboundWorkflowId(inbound.id)
      const options = lineOptions(config, inbound, KIND_INBOUND, 'Message from a platform to answer')
      await startOnce(within, () => client.workflow.start(INBOUND_WORKFLOW, { workflowId, ...options }))
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
      const query = `${SEARCH_ATTRIBUTES.kind} IN ('${KIND_SCHEDULED_MESSAGE}', '${KIND_RUN}', '${KIND_DELIVERY}', '${KIND_INBOUND}')
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

function runOptions(config: TemporalConfig, run: RunStart) {
  return {
    workflowId: runWorkflowId(run.id),
    taskQueue: config.taskQueue,
    args: [{ id: run.id }],
    ...ONCE,
    staticSummary: 'Plugin run',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: KIND, value: KIND_RUN },
      { key: BOT, value: run.botUuid },
      ...(run.sessionKey === null ? [] : [{ key: SESSION, value: run.sessionKey }]),
    ]),
  }
}

function lineOptions(config: TemporalConfig, start: LineStart, kind: string, staticSummary: string) {
  return {
    taskQueue: config.taskQueue,
    args: [{ id: start.id }],
    ...ONCE,
    staticSummary,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: KIND, value: kind },
      { key: BOT, value: start.botUuid },
      { key: SESSION, value: start.sessionKey },
    ]),
  }
}

/** Ids are business ids: never run twice. */
const ONCE = { workflowIdReusePolicy: 'REJECT_DUPLICATE', workflowIdConflictPolicy: 'FAIL' } as const

function startOptions(config: TemporalConfig, message: MessageStart, delayMs: number) {
  return {
    workflowId: scheduledMessageWorkflowId(message.id),
    taskQueue: config.taskQueue,
    args: [{ id: message.id, sendAtMs: message.sendAt.getTime() }],
    // Until it is due a delayed start costs no worker and no cache; a cancel still wakes it at once.
    startDelay: Math.max(0, Math.floor(delayMs)),
    ...ONCE,
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
