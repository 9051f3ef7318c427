import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `look` answers something true, and answers that; fails with what it saw last. */
export async function eventually<T>(
  look: () => Promise<T> | T,
  limitMs = 20_000,
  everyMs = 50,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + limitMs
  let last: T
  do {
    last = await look()
    if (last) return last
    await sleep(everyMs)
  } while (Date.now() < deadline)
  throw new Error(`it did not come true within ${limitMs} ms; last seen: ${JSON.stringify(last)}`)
}
