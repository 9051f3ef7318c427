import type { Logger } from 'pino'
import { errorCode } from '../../errors'
import type { OutboxStore } from '../outbox-store'
import type { OutboxDispatcher } from '../outbox-dispatcher'
import { startLoop } from '../waiting'
import type { Loop } from '../waiting'
import type { Scheduler } from './temporal-scheduler'

const LOOK_EVERY_MS = 10_000

/**
 * Keeps the reconciler's schedule alive. Temporal not knowing it means that Temporal is new or has lost its data: then
 * every pending promise is told again before the schedule is made, so that a crash in between repeats the whole. Its end
 * waits for the look that is under way: a connection must not be closed under it.
 */
export function keepSystemSchedules(parts: {
  scheduler: Scheduler
  outbox: OutboxStore
  dispatcher: OutboxDispatcher
  logger: Logger
}): Loop {
  const { scheduler, outbox, dispatcher, logger } = parts
  async function look(): Promise<void> {
    await scheduler.ensureReady(async () => {
      const requeued = await outbox.requeueAllPending()
      if (requeued > 0) logger.warn({ requeued }, 'Temporal knows nothing of us: all pending promises are told again')
      dispatcher.kick()
    })
  }

  // What a front door took from the outbox when it was killed is free again after a while, and nobody else asks.
  const care = () => look().finally(() => dispatcher.kick())
  return startLoop(care, {
    everyMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn({ code: errorCode(error) }, 'Temporal is not ready yet'),
  })
}
