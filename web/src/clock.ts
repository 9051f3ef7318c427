import { signal } from '@preact/signals'

/**
 * Whoever reads a countdown trusts the server's clock, not their own. A Date header is cut to the second, so each answer
 * only bounds the difference; the bounds of several answers together leave a few milliseconds.
 */
let lowest = -Infinity
let highest = Infinity

export function noteServerTime(dateHeader: string | null, sentAt: number, receivedAt: number): void {
  const second = Date.parse(dateHeader ?? '')
  if (Number.isNaN(second)) return
  const [low, high] = [second - receivedAt, second + 1_000 - sentAt]
  const contradicts = low > highest || high < lowest
  // One of the two clocks was set: what was known before is void.
  lowest = contradicts ? low : Math.max(lowest, low)
  highest = contradicts ? high : Math.min(highest, high)
}

const difference = () => (Number.isFinite(lowest) ? (lowest + highest) / 2 : 0)
export const serverNow = (): number => Date.now() + difference()

/** Changes at every whole second of the server; whatever counts down reads it. */
export const second = signal(serverNow())

/** Aligned anew at each tick, so that a sleeping laptop wakes to the right time. */
export function startTicking(): void {
  second.value = serverNow()
  setTimeout(startTicking, 1_005 - (serverNow() % 1_000))
}
