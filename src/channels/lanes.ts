/** Bounds how much one bot has under way at once, so that its slow endpoint cannot fill every place of a worker. */
export interface Lanes {
  /** Runs the work when there is room within `waitMs`; answers `busy` when there is none. */
  run<T>(key: string, work: () => Promise<T>): Promise<T | 'busy'>
}

interface Lane {
  running: number
  waiting: Set<() => void>
}

export function createLanes({ width, waitMs }: { width: number; waitMs: number }): Lanes {
  const lanes = new Map<string, Lane>()
  const laneOf = (key: string) => lanes.get(key) ?? lanes.set(key, { running: 0, waiting: new Set() }).get(key)!
  const leave = (key: string, lane: Lane) => {
    const [next] = lane.waiting
    // The place is handed over, not freed: whoever comes in between must not take it.
    if (next) return next()
    lane.running -= 1
    if (lane.running === 0) lanes.delete(key)
  }
  return {
    async run(key, work) {
      const lane = laneOf(key)
      if (lane.running < width) lane.running += 1
      else if (!(await waitForPlace(lane, waitMs))) return 'busy'
      try {
        return await work()
      } finally {
        leave(key, lane)
      }
    },
  }
}

function waitForPlace({ waiting }: Lane, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (got: boolean) => {
      clearTimeout(timer)
      waiting.delete(take)
      resolve(got)
    }
    const take = () => settle(true)
    const timer = setTimeout(() => settle(false), waitMs)
    waiting.add(take)
  })
}
