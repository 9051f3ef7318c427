import { ApplicationFailure } from '@temporalio/activity'
import type { Activities } from '../src/contracts/activities'
import { errorCode } from '../src/errors'
import { createCancelByOperator } from './cancel-by-operator'
import { createDeliverDue } from './deliver-due'
import { createReconcile } from './reconcile'
import { createSendOutside } from './send-outside'
import type { ActivityParts } from './activity-parts'

/** Every activity, closed over what it needs. */
export function createActivities(parts: ActivityParts): Activities {
  return {
    deliverDue: quiet(parts, createDeliverDue(parts)),
    sendOutside: quiet(parts, createSendOutside(parts)),
    cancelByOperator: quiet(parts, createCancelByOperator(parts)),
    reconcile: quiet(parts, createReconcile(parts)),
  }
}

/** Error texts end up in Temporal's history: only their code goes there, the rest goes to our log. */
function quiet<Args extends unknown[], Result>(
  { logger }: ActivityParts,
  activity: (...args: Args) => Promise<Result>,
) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await activity(...args)
    } catch (error) {
      if (error instanceof ApplicationFailure) throw error
      logger.warn({ err: error, args }, 'an activity failed')
      throw ApplicationFailure.create({ message: errorCode(error), type: errorCode(error) })
    }
  }
}
