import type { Logger } from 'pino'
import type { Activities } from '../contracts/activities'
import { errorCode } from '../errors'
import type { ScheduledMessageStore } from '../store/scheduled-messages'

const LOOK_EVERY_MS = 1_000
const LOOK_AHEAD_MS = 2_500
/** Temporal wakes about a hundred workflows a second; fewer than these wake in time by themselves. */
const HERD = 10
/** Timers may ring a moment early; by then it must be due for the database too. */
const MARGIN_MS = 2

export interface HerdWatch {
  stop(): Promise<void>
}

/**
 * A herd of workflows that are due together wakes slowly, since Temporal is busy with all of them before the first can
 * run. So one message of the herd is delivered on time without waiting for its workflow, and with it all the others that
 * are due. Nothing depends on it: without a watch, or when it dies, the workflows keep every promise themselves.
 */
export function startHerdWatch(parts: {
  messages: Pick<ScheduledMessageStore, 'listHerds'>
  activities: Pick<Activities, 'deliverDue'>
  logger: Logger
}): HerdWatch {
  const { messages, activities, logger } = parts
  const armed = new Map<number, NodeJS.Timeout>()
  const delivering = new Set<Promise<unknown>>()
  const warn = (error: unknown) => logger.warn({ code: errorCode(error) }, 'a herd is left to its workflows')
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  function deliver(instant: number, id: string): void {
    armed.delete(instant)
    const delivery = activities
      .deliverDue(id)
      .catch(warn)
      .finally(() => delivering.delete(delivery))
    delivering.add(delivery)
  }

  async function look(): Promise<void> {
    const herds = await messages.listHerds(LOOK_AHEAD_MS, HERD)
    for (const { id, instant, waitMs } of stopped ? [] : herds) {
      const key = instant.getTime()
      if (!armed.has(key))
        armed.set(
          key,
          setTimeout(() => deliver(key, id), waitMs + MARGIN_MS),
        )
    }
  }

  const run = () =>
    void (looking = look()
      .catch(warn)
      .finally(() => {
        if (!stopped) timer = setTimeout(run, LOOK_EVERY_MS)
      }))

  run()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      armed.forEach(clearTimeout)
      await Promise.all(delivering)
    },
  }
}
