import { isGrpcServiceError, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
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
  SEARCH_ATTRIBUTES,
} from '../contracts/temporal'

/** Values of temporal.api.enums.v1.IndexedValueType. */
const KEYWORD = 2
const DATETIME = 6
const TYPES: Record<string, number> = {
  [SEARCH_ATTRIBUTES.kind]: KEYWORD,
  [SEARCH_ATTRIBUTES.bot]: KEYWORD,
  [SEARCH_ATTRIBUTES.session]: KEYWORD,
  [SEARCH_ATTRIBUTES.dueAt]: DATETIME,
}

/** gRPC codes of a server that does not let us look: an operator has added the attributes there beforehand. */
const NOT_OURS_TO_MANAGE = new Set([7, 12])

/** Adds what the namespace lacks. Temporal Cloud manages them elsewhere (see docs/operators.md). */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace })
    const missing = Object.entries(TYPES).filter(([name]) => !(name in known.customAttributes))
    if (missing.length === 0) return
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) })
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

/** A schedule of our own. Being first to make it or finding it made are the same. */
export async function ensureSchedule(client: Client, taskQueue: string, schedule: SystemSchedule): Promise<void> {
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
