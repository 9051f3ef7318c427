import { tooMany } from '../errors'

const MAX_ENTRIES = 10_000
const PROVED_FOR_MS = 60 * 60_000

/**
 * Counts what was refused to each address. Who is refused too often is not heard until the window has passed; only whoever
 * proved itself from there lately is, so that a neighbour behind the same proxy cannot shut it out.
 */
export function createRefusals({ most, windowMs }: { most: number; windowMs: number }) {
  const refused = new Map<string, { count: number; untilMs: number }>()
  const proved = new Map<string, { untilMs: number }>()
  return {
    /** Throws `too_many_refusals`. */
    check(address: string, door: string): void {
      const found = lasting(refused, address)
      if (!found || found.count < most || lasting(proved, `${address} ${door}`)) return
      const seconds = Math.ceil((found.untilMs - performance.now()) / 1_000)
      throw tooMany('too_many_refusals', 'too many requests from this address were refused', seconds)
    },
    add(address: string): void {
      const { count, untilMs } = lasting(refused, address) ?? { count: 0, untilMs: performance.now() + windowMs }
      keep(refused, address, { count: count + 1, untilMs })
    },
    prove(address: string, door: string): void {
      keep(proved, `${address} ${door}`, { untilMs: performance.now() + PROVED_FOR_MS })
    },
  }
}

function lasting<T extends { untilMs: number }>(entries: Map<string, T>, key: string): T | undefined {
  const found = entries.get(key)
  return found && found.untilMs > performance.now() ? found : undefined
}

function keep<T>(entries: Map<string, T>, key: string, entry: T): void {
  if (entries.size >= MAX_ENTRIES) entries.clear()
  entries.set(key, entry)
}
