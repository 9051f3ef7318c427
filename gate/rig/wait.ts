import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export { sleep }

/** Until the condition holds; says what it waited for when it does not in time. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 120_000,
  everyMs = 200,
): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${Math.round(limitMs / 1_000)} s in vain: ${what}`)
    await sleep(everyMs)
  }
}

/** Does `work` for 0 … count − 1, a few at a time, and answers the results in order. */
export async function mapLimited<T>(count: number, width: number, work: (number: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number)
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane))
  return results
}

/** What a promise over HTTP takes here and now, eight at a time: due times are set after the last of them. */
export const paceMs = (): number => 120 * Math.max(1, os.loadavg()[0]! / os.cpus().length)
