import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Client, Connection } from '@temporalio/client'
import {
  HEARTBEAT_EVERY_SECONDS,
  HEARTBEAT_SCHEDULE,
  HEARTBEAT_WORKFLOW,
  KIND_SYSTEM,
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

/** Adds what the namespace lacks. On Temporal Cloud an operator adds them beforehand and nothing is missing here. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const known = await connection.operatorService.listSearchAttributes({ namespace })
  const missing = Object.entries(TYPES).filter(([name]) => !(name in known.customAttributes))
  if (missing.length === 0) return
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) })
}

/** The reconciler's schedule. Being first to make it or finding it made are the same. */
export async function ensureHeartbeat(client: Client, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: HEARTBEAT_SCHEDULE,
      spec: { intervals: [{ every: HEARTBEAT_EVERY_SECONDS * 1_000 }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
      action: {
        type: 'startWorkflow',
        workflowType: HEARTBEAT_WORKFLOW,
        workflowId: HEARTBEAT_SCHEDULE,
        taskQueue,
        args: [],
        staticSummary: 'Reconciler: repairs what crashes left behind',
        searchAttributes: { [SEARCH_ATTRIBUTES.kind]: [KIND_SYSTEM] },
        workflowExecutionTimeout: '5m',
      },
      state: { triggerImmediately: true, note: 'Protected: Punctual makes it again when it is missing.' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
