import type { Product } from '../src/build/product'
import { redactErrors } from './attempt'
import { createAutomationActivities } from './automation-run'
import { createDeliveryActivities } from './delivery'
import { createDream } from './dream'
import { createReconcile } from './heartbeat'
import { createAnswerInbound } from './inbound'
import { createArchiveOldMessages } from './retention'
import { createRunActivities } from './run'
import { createScheduledMessageActivities } from './scheduled-message'

/** Every activity, closed over what it needs of the product; each file holds those of the workflow whose name it bears. */
export function createActivities(parts: Product) {
  return redactErrors(parts.logger, {
    ...createScheduledMessageActivities(parts),
    ...createDeliveryActivities(parts),
    answerInbound: createAnswerInbound(parts),
    ...createRunActivities(parts),
    ...createAutomationActivities(parts),
    reconcile: createReconcile(parts),
    dream: createDream(parts),
    archiveOldMessages: createArchiveOldMessages(parts),
  })
}
