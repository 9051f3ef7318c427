import { setTimeout as sleep } from 'node:timers/promises'

/** Keeps a gap between two calls of the same kind in this process, as platforms ask for. */
export interface Pacer {
  wait(key: string, gapMs: number, signal: AbortSignal): Promise<void>
}

const MAX_KEYS = 10_000

export function createPacer(): Pacer {
  const free = new Map<string, number>()
  return {
    async wait(key, gapMs, signal) {
      const now = performance.now()
      const mine = Math.max(now, free.get(key) ?? 0)
      if (free.size >= MAX_KEYS) for (const [old, at] of free) if (at < now) free.delete(old)
      free.set(key, mine + gapMs)
      if (mine > now) await sleep(mine - now, undefined, { signal })
    },
  }
}
