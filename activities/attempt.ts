import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity'
import { ApplicationFailureCategory } from '@temporalio/common'
import type { Logger } from 'pino'
import { startHeartbeat } from '../src/engine/heartbeat'
import { errorCode } from '../src/errors'

const HEARTBEAT_MS = 2_000

/** Runs the work under heartbeats, so that a worker that dies in it is noticed by its silence. */
export async function underHeartbeats<T>(work: () => Promise<T>): Promise<T> {
  const { heartbeat, cancellationSignal: signal } = Context.current()
  heartbeat()
  const { stop } = startHeartbeat({ signal, onHeartbeat: heartbeat }, HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    stop()
  }
}

/** A try that ends in order to be repeated, as it should: Temporal counts it as no error, and logs it as none. */
export const plannedRetry = (code: string, nextRetryDelay?: number): ApplicationFailure =>
  ApplicationFailure.create({
    message: code,
    type: code,
    nextRetryDelay,
    category: ApplicationFailureCategory.BENIGN,
  })

/** The same activities; of their errors only the code reaches Temporal's history, the rest goes to our log. */
export function redactErrors<Named extends Record<keyof Named, (...args: never[]) => Promise<unknown>>>(
  logger: Logger,
  activities: Named,
): Named {
  const entries = Object.entries<(...args: never[]) => Promise<unknown>>(activities).map(([name, activity]) => [
    name,
    redacted(logger, activity),
  ])
  return Object.fromEntries(entries) as Named
}

function redacted<Args extends never[], Result>(logger: Logger, activity: (...args: Args) => Promise<Result>) {
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
