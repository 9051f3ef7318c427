export interface Slots {
  /** Whether it had to wait for one. */
  take(): Promise<boolean>
  give: () => void
}

/** At most `count` at once, first come first served. */
export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  return {
    take() {
      if (free > 0) {
        free -= 1
        return Promise.resolve(false)
      }
      return new Promise((resolve) => waiting.push(() => resolve(true)))
    },
    give() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}
