import type { Logger } from 'pino'
import { errorCode } from '../errors'
import type { OutboxStore } from '../store/outbox-store'
import type { OutboxDispatcher } from './outbox-dispatcher'
import type { Scheduler } from './scheduler'

const LOOK_EVERY_MS = 10_000

export interface Caretaker {
  /** Waits for the look that is under way: a connection must not be closed under it. */
  stop(): Promise<void>
}

/**
 * Keeps the reconciler's schedule alive. Temporal not knowing it means that Temporal is new or has lost its data: then
 * every pending promise is told again before the schedule is made, so that a crash in between repeats the whole.
 */
export function startCaretaker(parts: {
  scheduler: Scheduler
  outbox: OutboxStore
  dispatcher: OutboxDispatcher
  logger: Logger
}): Caretaker {
  const { scheduler, outbox, dispatcher, logger } = parts
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let caring: Promise<void> | undefined

  async function look(): Promise<void> {
    await scheduler.ensureReady(async () => {
      const requeued = await outbox.requeueAllPending()
      if (requeued > 0) logger.warn({ requeued }, 'Temporal knows nothing of us: all pending promises are told again')
      dispatcher.kick()
    })
  }

  async function care(): Promise<void> {
    await look().catch((error: unknown) => logger.warn({ code: errorCode(error) }, 'Temporal is not ready yet'))
    // What a front door took from the outbox when it was killed is free again after a while, and nobody else asks.
    dispatcher.kick()
    if (!stopped) timer = setTimeout(run, LOOK_EVERY_MS)
  }

  const run = () => void (caring = care())
  run()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await caring
    },
  }
}
