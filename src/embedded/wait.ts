import { setTimeout as pause } from 'node:timers/promises'

export { pause }

/** Asks again until the answer is yes or the time is over; says which it was. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 50 }: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() >= deadline) return false
    await pause(everyMs)
  }
  return true
}
