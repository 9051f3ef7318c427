/** Remembers look-ups for a short time, so that a busy key costs one query every `ttlMs` and a revoked one soon ends. */
export function createRecent<T>(ttlMs: number, maxEntries = 10_000) {
  const entries = new Map<string, { at: number; value: Promise<T> }>()
  return {
    get(key: string, load: () => Promise<T>): Promise<T> {
      const known = entries.get(key)
      if (known && performance.now() - known.at < ttlMs) return known.value
      if (entries.size >= maxEntries) entries.clear()
      const value = load()
      entries.set(key, { at: performance.now(), value })
      // A look-up that failed says nothing about the key: the next caller asks again.
      value.catch(() => entries.delete(key))
      return value
    },
    forget(key: string): void {
      entries.delete(key)
    },
  }
}
