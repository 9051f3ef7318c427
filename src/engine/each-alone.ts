import type { Logger } from 'pino'
import { errorCode } from '../errors'
import { ENGINE_AWAY } from './temporal/temporal-scheduler'

const AT_ONCE = 4
/** So many different failures are remembered as logged. */
const REMEMBERED = 1_000

/** Does the work for each item, a few at a time, and answers the sum; one that fails stops no other. */
export type EachAlone = <Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  work: (item: Item) => Promise<number>,
) => Promise<number>

export interface Isolation {
  /** Runs a step of a pass by itself: one that fails counts as nothing done. */
  step(name: string, work: (eachAlone: EachAlone) => Promise<number>): Promise<number>
}

/** Lets each step of a pass, and each row in it, fail alone. Every failure is counted, and logged when it is new. */
export function createIsolation(logger: Logger, onFailure: (step: string) => void): Isolation {
  const logged = new Set<string>()

  function note(step: string, item: string | undefined, error: unknown): void {
    onFailure(step)
    const code = errorCode(error)
    const key = `${step} ${item ?? ''} ${code}`
    if (logged.has(key)) return
    if (logged.size >= REMEMBERED) logged.clear()
    logged.add(key)
    logger.warn({ step, item, code, err: error }, 'the reconciler could not do this; it goes on with the rest')
  }

  const eachOf =
    (step: string): EachAlone =>
    async (items, nameOf, work) => {
      const waiting = [...items]
      let sum = 0
      const lane = async () => {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
          try {
            sum += await work(item)
          } catch (error) {
            // Asking an engine that is away about every other row would take as long as its time limits.
            if (errorCode(error) === ENGINE_AWAY) waiting.length = 0
            note(step, nameOf(item), error)
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
      return sum
    }

  return {
    async step(name, work) {
      try {
        return await work(eachOf(name))
      } catch (error) {
        note(name, undefined, error)
        return 0
      }
    },
  }
}
