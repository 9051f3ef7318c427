import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs, createSingleFlight } from '../engine/waiting'
import type { InboundReading } from './inbound/contract'

const MOST = 1_000
const TRY_FOR_MS = 10 * 60_000
const BACK_OFF = { firstMs: 250, longestMs: 5_000 }

/** What a platform tells only once, kept until it is stored: in the order it came, for a while, and not without end. */
export interface EventQueue {
  add(reading: InboundReading): void
  /** Ends when all is stored, at the latest after `withinMs`. */
  settle(withinMs: number): Promise<void>
}

export function createEventQueue(parts: {
  store(reading: InboundReading): Promise<unknown>
  onLost(why: string): void
}): EventQueue {
  const waiting: InboundReading[] = []
  const draining = createSingleFlight(drain)

  async function drain(): Promise<void> {
    for (let [next] = waiting; next; [next] = waiting) {
      if (!(await keepTrying(next))) parts.onLost('it could not be stored for ten minutes')
      waiting.shift()
    }
  }

  async function keepTrying(reading: InboundReading): Promise<boolean> {
    const until = performance.now() + TRY_FOR_MS
    for (let failures = 1; performance.now() < until; failures += 1) {
      const isStored = await parts.store(reading).then(
        () => true,
        () => false,
      )
      if (isStored) return true
      await sleep(backOffMs(failures, BACK_OFF), undefined, { ref: false })
    }
    return false
  }

  return {
    add(reading) {
      if (waiting.length >= MOST) return parts.onLost(`${MOST} others wait to be stored`)
      waiting.push(reading)
      void draining.join()
    },
    async settle(withinMs) {
      await Promise.race([draining.current(), sleep(withinMs, undefined, { ref: false })])
    },
  }
}
