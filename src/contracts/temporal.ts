/** Names that Temporal knows us by. Renaming one breaks what is running: treat it as a schema change. */
export const SEARCH_ATTRIBUTES = {
  kind: 'PunctualKind',
  bot: 'PunctualBot',
  session: 'PunctualSession',
  dueAt: 'PunctualDueAt',
} as const

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
