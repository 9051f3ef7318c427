import type { Logger } from 'pino'
import { errorCode } from '../errors'
import type { OutboxStore } from '../store/outbox-store'
import type { OutboxDispatcher } from './outbox-dispatcher'
import type { Scheduler } from './scheduler'

const LOOK_EVERY_MS = 10_000

export interface Caretaker {
  stop(): void
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

  async function look(): Promise<void> {
    await scheduler.ensureReady(async () => {
      const requeued = await outbox.requeueAllPending()
      if (requeued > 0) logger.warn({ requeued }, 'Temporal knows nothing of us: all pending promises are told again')
      dispatcher.kick()
    })
  }

  async function run(): Promise<void> {
    await look().catch((error: unknown) => logger.warn({ code: errorCode(error) }, 'Temporal is not ready yet'))
    if (!stopped) timer = setTimeout(() => void run(), LOOK_EVERY_MS)
  }

  void run()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
