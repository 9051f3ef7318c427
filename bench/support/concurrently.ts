import { performance } from 'node:perf_hooks'

export interface Timed {
  perSecond: number
  /** Milliseconds of each call. */
  latencies: number[]
}

/** Does `work` for 0 … count − 1, so many at a time, and times each call and the whole. */
export async function concurrently(
  count: number,
  lanes: number,
  work: (index: number) => Promise<unknown>,
): Promise<Timed> {
  const latencies: number[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) {
      const begun = performance.now()
      await work(index)
      latencies.push(performance.now() - begun)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane))
  return { perSecond: (1_000 * count) / (performance.now() - begun), latencies }
}
