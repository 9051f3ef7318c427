import { automationRunWorkflow as automationRun } from './automation-run'
import { deliveryWorkflow as delivery } from './delivery'
import { inboundWorkflow as inbound } from './inbound'
import { withOutcome } from './outcome'
import { runWorkflow as run } from './run'
import { scheduledMessageWorkflow as scheduledMessage } from './scheduled-message'

export { dreamWorkflow } from './dream'
export { heartbeatWorkflow } from './heartbeat'
export { retentionWorkflow } from './retention'

// The workflows of promises, by the names that Temporal knows.
export const automationRunWorkflow = withOutcome(automationRun)
export const deliveryWorkflow = withOutcome(delivery)
export const inboundWorkflow = withOutcome(inbound)
export const runWorkflow = withOutcome(run)
export const scheduledMessageWorkflow = withOutcome(scheduledMessage)
