import { setTimeout as sleep } from 'node:timers/promises'

/** Wakes whoever waits. A call that comes while nobody waits is remembered, so that none is lost between a look and the wait. */
export interface WakeSignal {
  wake(): void
  /** Ends with the next call, with one that came since the last wait, at the time limit, or when the signal aborts. */
  wait(limitMs: number, signal?: AbortSignal): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let woken = false
  let answer: (() => void) | undefined
  const wake = () => {
    woken = true
    answer?.()
  }
  return {
    wake,
    async wait(limitMs, signal) {
      if (!woken && !signal?.aborted) {
        const timer = setTimeout(wake, limitMs)
        signal?.addEventListener('abort', wake, { once: true })
        await new Promise<void>((resolve) => (answer = resolve))
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
      }
      woken = false
      answer = undefined
    },
  }
}

/** Work of which at most one is under way. */
export interface SingleFlight<T> {
  /** Starts the work, or shares the one that is under way. */
  join(): Promise<T>
  /** The work that is under way, if any. */
  current(): Promise<T> | undefined
}

export function createSingleFlight<T>(work: () => Promise<T>): SingleFlight<T> {
  let running: Promise<T> | undefined
  return {
    join: () => (running ??= work().finally(() => (running = undefined))),
    current: () => running,
  }
}

/** Writes one after another; what comes while one is under way is written together by the next. */
export function createBatches<T>(write: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let before: Promise<void> = Promise.resolve()
  let open: { items: T[]; written: Promise<void> } | undefined
  const begin = () => {
    const items: T[] = []
    const written = before.then(() => {
      open = undefined
      return write(items)
    })
    before = written.catch(() => undefined)
    return { items, written }
  }
  return (item) => {
    open ??= begin()
    open.items.push(item)
    return open.written
  }
}

export interface Loop {
  /** Waits for the work that is under way. */
  stop(): Promise<void>
}

/** Does the work at once and then again and again with a pause after each, whether it fails or not. */
export function startLoop(
  work: () => Promise<void>,
  { everyMs, onError }: { everyMs: number; onError(error: unknown): void | Promise<void> },
): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      await work().catch(onError)
      await sleep(everyMs, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Waits no longer than the signal lets it, and then fails with its reason; what was started goes on unheard. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stopWaiting = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stopWaiting = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stopWaiting, { once: true })
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stopWaiting)
    work.catch(() => {})
  }
}

/** Twice as long after each failure in a row, up to a limit. */
export function backOffMs(failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs)
}

/** Half of the time up to all of it, so that many who failed together do not come back together. */
export const withJitter = (ms: number, random: () => number = Math.random): number => ms * (0.5 + random() / 2)

/** The header `Retry-After` (RFC 9110): seconds or a date; undefined when it says neither. */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
