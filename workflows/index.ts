export { heartbeatWorkflow } from './heartbeat'
export { scheduledMessageWorkflow } from './scheduled-message'
