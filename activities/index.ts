import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import type { Activities } from '../src/contracts/activities'
import { errorCode } from '../src/errors'
import { createAnswerInbound } from './answer-inbound'
import { createAutomationActivities } from './automation-activities'
import { createCancelByOperator } from './cancel-by-operator'
import { createDeliverDue } from './deliver-due'
import { createDeliverMessage } from './deliver-message'
import { createDream } from './dream'
import { createReconcile } from './reconcile'
import { createSendOutside } from './send-outside'
import { createRunActivities } from './run-activities'
import type { ActivityParts } from './activity-parts'

/** Every activity, closed over what it needs. */
export function createActivities(parts: ActivityParts): Activities {
  return quieted(parts, {
    deliverDue: createDeliverDue(parts),
    sendOutside: createSendOutside(parts),
    cancelByOperator: createCancelByOperator(parts),
    answerInbound: createAnswerInbound(parts),
    deliverMessage: createDeliverMessage(parts),
    giveUpDelivery: async (id, reason) => void (await parts.deliveries.giveUp(id, reason)),
    reconcile: createReconcile(parts),
    dream: createDream(parts),
    archiveOldMessages: () => parts.retention(() => Context.current().heartbeat()),
    ...createRunActivities(parts),
    ...createAutomationActivities(parts),
  })
}

/** The same activities, each made quiet. */
function quieted(parts: ActivityParts, activities: Activities): Activities {
  const entries = Object.entries(activities).map(
    ([name, activity]: [string, (...args: never[]) => Promise<unknown>]) => [name, quiet(parts, activity)],
  )
  return Object.fromEntries(entries) as Activities
}

/** Error texts end up in Temporal's history: only their code goes there, the rest goes to our log. */
function quiet<Args extends never[], Result>({ logger }: ActivityParts, activity: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await activity(...args)
    } catch (error) {
      if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error
      logger.warn({ err: error, args }, 'an activity failed')
      throw ApplicationFailure.create({ message: errorCode(error), type: errorCode(error) })
    }
  }
}
