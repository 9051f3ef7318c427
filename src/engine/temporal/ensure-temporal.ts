import {
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import type { Client, Connection } from '@temporalio/client'
import {
  DREAM_SCHEDULE,
  DREAM_WORKFLOW,
  HEARTBEAT_EVERY_SECONDS,
  HEARTBEAT_SCHEDULE,
  HEARTBEAT_WORKFLOW,
  KIND_SYSTEM,
  RETENTION_SCHEDULE,
  RETENTION_WORKFLOW,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
} from '../../contracts/temporal'
import type { Within } from './temporal-scheduler'

/** Values of temporal.api.enums.v1.IndexedValueType. */
const INDEXED_VALUE_TYPES = { Keyword: 2, Datetime: 6 } as const

/** gRPC codes of a server that does not let us look: an operator has added the attributes there beforehand. */
const NOT_OURS_TO_MANAGE = new Set([7, 12])

/** Adds what the namespace lacks. Temporal Cloud manages them elsewhere (see docs/operators.md). */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace })
    const missing = Object.entries(SEARCH_ATTRIBUTE_TYPES).filter(([name]) => !(name in known.customAttributes))
    if (missing.length === 0) return
    const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]))
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    if (!isGrpcServiceError(error) || !NOT_OURS_TO_MANAGE.has(error.code)) throw error
  }
}

export interface SystemSchedule {
  scheduleId: string
  workflowType: string
  everySeconds: number
  summary: string
}

export const HEARTBEAT: SystemSchedule = {
  scheduleId: HEARTBEAT_SCHEDULE,
  workflowType: HEARTBEAT_WORKFLOW,
  everySeconds: HEARTBEAT_EVERY_SECONDS,
  summary: 'Reconciler: repairs what crashes left behind',
}

export const OTHER_SYSTEM_SCHEDULES: readonly SystemSchedule[] = [
  {
    scheduleId: DREAM_SCHEDULE,
    workflowType: DREAM_WORKFLOW,
    everySeconds: 3_600,
    summary: 'Dream: summarises long conversations',
  },
  {
    scheduleId: RETENTION_SCHEDULE,
    workflowType: RETENTION_WORKFLOW,
    everySeconds: 6 * 3_600,
    summary: 'Retention: archives messages past PUNCTUAL_RETENTION_DAYS',
  },
]

/** A schedule of our own, signed with the installation that made it; finding it made already is as good. */
export async function ensureSchedule(
  client: Client,
  { taskQueue, installation }: { taskQueue: string; installation: string },
  schedule: SystemSchedule,
): Promise<void> {
  const { scheduleId, workflowType, everySeconds, summary } = schedule
  try {
    await client.schedule.create({
      scheduleId,
      spec: { intervals: [{ every: everySeconds * 1_000 }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
      action: {
        type: 'startWorkflow',
        workflowType,
        workflowId: scheduleId,
        taskQueue,
        args: [],
        memo: { installation },
        staticSummary: summary,
        searchAttributes: { [SEARCH_ATTRIBUTES.kind]: [KIND_SYSTEM] },
        workflowExecutionTimeout: `${Math.max(300, everySeconds)}s`,
      },
      state: { triggerImmediately: true, note: 'Protected: Punctual makes it again when it is missing.' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}

/** What Temporal knows of one of our schedules. */
export interface KnownSchedule {
  /** Null when a version made it that did not sign. */
  installation: string | null
  /** The run that it started last. */
  lastRun: { workflowId: string; runId: string } | null
}

/** Null when Temporal has no such schedule: it is new, or it has lost its data. */
export async function describeSchedule(
  client: Client,
  within: Within,
  { scheduleId }: SystemSchedule,
): Promise<KnownSchedule | null> {
  try {
    const { action, info } = await within(() => client.schedule.getHandle(scheduleId).describe())
    const installation = action.memo?.['installation']
    const last = info.recentActions.at(-1)?.action.workflow
    return {
      installation: typeof installation === 'string' ? installation : null,
      lastRun: last ? { workflowId: last.workflowId, runId: last.firstExecutionRunId } : null,
    }
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null
    throw error
  }
}

/** Signs a schedule that an older version made. */
export async function signSchedule(
  client: Client,
  { scheduleId }: SystemSchedule,
  installation: string,
): Promise<void> {
  await client.schedule.getHandle(scheduleId).update((previous) => ({
    ...previous,
    action: { ...previous.action, memo: { ...previous.action.memo, installation } },
  }))
}
