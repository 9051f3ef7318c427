export { deliveryWorkflow } from './delivery'
export { heartbeatWorkflow } from './heartbeat'
export { runWorkflow } from './run'
export { scheduledMessageWorkflow } from './scheduled-message'
