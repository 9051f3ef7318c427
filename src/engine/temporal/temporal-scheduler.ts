import { Client, Connection, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client'
import type { TemporalConfig } from '../../config'
import { SEARCH_ATTRIBUTES } from '../../contracts/temporal'
import { AppError, unavailable } from '../../errors'
import type { PromiseKind, StartRow } from '../promise-kind'
import { createSchedules } from './schedules'
import {
  describeSchedule,
  ensureSchedule,
  HEARTBEAT,
  OTHER_SYSTEM_SCHEDULES,
  registerSearchAttributes,
  signSchedule,
} from './ensure-temporal'
import { startWorkflow } from './start-workflow'
import { temporalConnectionOptions } from './temporal-connection'

const CALL_DEADLINE_MS = 5_000
const CHECK_DEADLINE_MS = 2_000
const PAGE = 1_000

/** Code of the error that every call throws when Temporal is away: what it was asked may be asked again soon. */
export const ENGINE_AWAY = 'engine_away'

/** How a workflow stands; `not_found` means Temporal has no memory of it. */
export type WorkflowState = 'open' | 'completed' | 'cancelled' | 'terminated' | 'failed' | 'timed_out' | 'not_found'

const STATES: Partial<Record<string, WorkflowState>> = {
  RUNNING: 'open',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  FAILED: 'failed',
  TIMED_OUT: 'timed_out',
}

/** Every call has a time limit of its own. */
export type Within = <T>(call: () => Promise<T>, ms?: number) => Promise<T>

export type Scheduler = Awaited<ReturnType<typeof createTemporalScheduler>>

/** Temporal as the product asks it. Connects lazily, so that nothing waits for it to be there. */
export async function createTemporalScheduler(
  config: TemporalConfig,
  clock: { now(): Promise<Date> },
  /** What tells this installation, by its database, from every other one. */
  installationId: () => Promise<string>,
) {
  const connection = Connection.lazy({ ...(await temporalConnectionOptions(config)), connectTimeout: CALL_DEADLINE_MS })
  const client = new Client({ connection, namespace: config.namespace })
  const within: Within = (call, ms = CALL_DEADLINE_MS) =>
    connection.withDeadline(Date.now() + ms, call).catch((error: unknown) => {
      throw isAway(error) ? unavailable(ENGINE_AWAY, 'Temporal does not answer', undefined, error) : error
    })

  let registered = false

  /**
   * Two installations in one namespace would take each other's work and end it, since each finds no row of the other's.
   * Throws when the namespace is another one's; answers our heartbeat, null when there is none yet.
   */
  async function requireOurs() {
    const known = await describeSchedule(client, within, HEARTBEAT)
    if (known?.installation == null || known.installation === (await installationId())) return known
    throw new AppError(
      'another_installation',
      `the Temporal namespace ${config.namespace} belongs to another installation of Punctual, with another database`,
      {
        hint: `Give each its own TEMPORAL_NAMESPACE. If the other one is gone for good, delete its schedule ${HEARTBEAT.scheduleId}.`,
      },
    )
  }

  /** Newest first; every page has the time limit of a call. */
  async function list(query: string, limit: number): Promise<{ workflowId: string; state: WorkflowState }[]> {
    const found: { workflowId: string; state: WorkflowState }[] = []
    const items = client.workflow.list({ query, pageSize: Math.min(limit, PAGE) })[Symbol.asyncIterator]()
    while (found.length < limit) {
      const next = await within(() => items.next())
      if (next.done) break
      found.push({ workflowId: next.value.workflowId, state: STATES[next.value.status.name] ?? 'open' })
    }
    return found
  }

  return {
    /** Starts the workflow of a row; one that is started already counts as success. */
    async start(kind: PromiseKind, row: StartRow): Promise<void> {
      await startWorkflow({ client, within, clock, taskQueue: config.taskQueue }, kind, row)
    },

    /** Asks a workflow to end; one that has ended or is unknown is fine. */
    async cancelWorkflow(workflowId: string): Promise<void> {
      try {
        await within(() => client.workflow.getHandle(workflowId).cancel())
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },

    async stateOf(workflowId: string, runId?: string): Promise<WorkflowState> {
      try {
        const { status } = await within(() => client.workflow.getHandle(workflowId, runId).describe())
        return STATES[status.name] ?? 'open'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'not_found'
        throw error
      }
    },

    /** Workflows of these kinds that ended otherwise than by completing, the newest first. */
    listBroken: (kinds: readonly PromiseKind[], since: Date, limit: number) =>
      list(
        `${among(kinds)} AND CloseTime > '${since.toISOString()}'
         AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled')`,
        limit,
      ),

    /** Workflows of these kinds that are open although what they keep was due before `due`. */
    listOpenPastDue: (kinds: readonly PromiseKind[], due: Date, limit: number) =>
      list(
        `${among(kinds)} AND ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTES.dueAt} < '${due.toISOString()}'`,
        limit,
      ),

    schedules: createSchedules(client, within),
    heartbeat: () => describeSchedule(client, within, HEARTBEAT),
    requireOurs,

    /** Makes what we need; `beforeFirst` runs when Temporal has never seen us, or has lost its data. */
    async ensureReady(beforeFirst: () => Promise<void>): Promise<void> {
      const installation = await installationId()
      const known = await requireOurs()
      if (!registered) await within(() => registerSearchAttributes(connection, config.namespace))
      registered = true
      const ours = { taskQueue: config.taskQueue, installation }
      if (known?.installation === null) await within(() => signSchedule(client, HEARTBEAT, installation))
      if (known === null) {
        await beforeFirst()
        await within(() => ensureSchedule(client, ours, HEARTBEAT))
      }
      for (const schedule of OTHER_SYSTEM_SCHEDULES) {
        if (await describeSchedule(client, within, schedule)) continue
        await within(() => ensureSchedule(client, ours, schedule))
      }
    },

    async check(): Promise<void> {
      await within(
        () => connection.workflowService.describeNamespace({ namespace: config.namespace }),
        CHECK_DEADLINE_MS,
      )
    },

    close: () => connection.close(),
  }
}

const among = (kinds: readonly PromiseKind[]) =>
  `${SEARCH_ATTRIBUTES.kind} IN (${kinds.map(({ kind }) => `'${kind}'`).join(', ')})`

/** gRPC codes of an engine that is not there or overloaded: cancelled by our deadline, deadline, exhausted, unavailable. */
const AWAY_CODES = new Set([1, 4, 8, 14])

function isAway(error: unknown): boolean {
  const cause = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error
  return isGrpcServiceError(cause) && AWAY_CODES.has(cause.code)
}
