/** Names that Temporal knows us by. Renaming one breaks what is running: treat it as a schema change. */
export const SEARCH_ATTRIBUTES = {
  kind: 'PunctualKind',
  bot: 'PunctualBot',
  session: 'PunctualSession',
  dueAt: 'PunctualDueAt',
  outcome: 'PunctualOutcome',
} as const
/** What kind of value each holds, as Temporal's command line calls it. */
export const SEARCH_ATTRIBUTE_TYPES: Record<string, 'Keyword' | 'Datetime'> = {
  [SEARCH_ATTRIBUTES.kind]: 'Keyword',
  [SEARCH_ATTRIBUTES.bot]: 'Keyword',
  [SEARCH_ATTRIBUTES.session]: 'Keyword',
  [SEARCH_ATTRIBUTES.dueAt]: 'Datetime',
  [SEARCH_ATTRIBUTES.outcome]: 'Keyword',
}
/** `PunctualOutcome` of a workflow that is not over; at its end it says how the promise ended. */
export const OUTCOME_PENDING = 'pending'

export const SCHEDULED_MESSAGE_WORKFLOW = 'scheduledMessageWorkflow'
export const RUN_WORKFLOW = 'runWorkflow'
export const DELIVERY_WORKFLOW = 'deliveryWorkflow'
export const INBOUND_WORKFLOW = 'inboundWorkflow'
export const AUTOMATION_RUN_WORKFLOW = 'automationRunWorkflow'
export const DREAM_WORKFLOW = 'dreamWorkflow'
export const DREAM_SCHEDULE = 'system/dream'
export const RETENTION_WORKFLOW = 'retentionWorkflow'
export const RETENTION_SCHEDULE = 'system/retention'
export const HEARTBEAT_WORKFLOW = 'heartbeatWorkflow'
export const HEARTBEAT_SCHEDULE = 'system/heartbeat'
export const HEARTBEAT_EVERY_SECONDS = 30
export const KIND_SCHEDULED_MESSAGE = 'scheduled_message'
export const KIND_RUN = 'run'
export const KIND_DELIVERY = 'delivery'
export const KIND_INBOUND = 'inbound'
export const KIND_AUTOMATION = 'automation'
export const KIND_AUTOMATION_RUN = 'automation_run'
export const KIND_SYSTEM = 'system'
/** Turns of automations wait for their session; on a queue of their own they hold up nothing else. */
export const turnsTaskQueue = (taskQueue: string) => `${taskQueue}-turns`
/**
 * Calls of plugins wait for a place, each a process of its own; calls of MCP servers only wait for an answer. Temporal is the
 * line of both: what waits there holds no place of anything else.
 */
export const callsTaskQueue = (taskQueue: string, source: 'plugin' | 'mcp') => `${taskQueue}-${source}-calls`
