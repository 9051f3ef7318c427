import type { Logger } from 'pino'
import type { Activities } from '../contracts/activities'
import { startLoop } from '../engine/waiting'
import type { Loop } from '../engine/waiting'
import { errorCode } from '../errors'
import type { ScheduledMessageStore } from './sql'

const LOOK_EVERY_MS = 1_000
const LOOK_AHEAD_MS = 2_500
/** Temporal wakes about a hundred workflows a second; fewer than these wake in time by themselves. */
const BURST = 10
/** Timers may ring a moment early; by then it must be due for the database too. */
const MARGIN_MS = 2

/**
 * A burst of workflows that are due together wakes slowly, since Temporal is busy with all of them before the first can
 * run. So one message of the burst is delivered on time without waiting for its workflow, and with it all the others that
 * are due. Nothing depends on it: without a watch, or when it dies, the workflows keep every promise themselves.
 */
export function startBurstWatch(parts: {
  messages: Pick<ScheduledMessageStore, 'listBursts'>
  activities: Pick<Activities, 'deliverDue'>
  logger: Logger
}): Loop {
  const { messages, activities, logger } = parts
  const armed = new Map<number, NodeJS.Timeout>()
  const delivering = new Set<Promise<unknown>>()
  const warn = (error: unknown) => logger.warn({ code: errorCode(error) }, 'a burst is left to its workflows')

  function deliver(instant: number, id: string): void {
    armed.delete(instant)
    const delivery = activities
      .deliverDue(id)
      .catch(warn)
      .finally(() => delivering.delete(delivery))
    delivering.add(delivery)
  }

  async function look(): Promise<void> {
    const bursts = await messages.listBursts(LOOK_AHEAD_MS, BURST)
    for (const { id, instant, waitMs } of bursts) {
      const key = instant.getTime()
      if (!armed.has(key))
        armed.set(
          key,
          setTimeout(() => deliver(key, id), waitMs + MARGIN_MS),
        )
    }
  }

  const loop = startLoop(look, { everyMs: LOOK_EVERY_MS, onError: warn })
  return {
    async stop() {
      await loop.stop()
      armed.forEach(clearTimeout)
      await Promise.all(delivering)
    },
  }
}
