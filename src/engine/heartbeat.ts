import type { JsonValue } from '../contracts/words'

/** Tells the caller that some work lives, and tells the work when the caller wants it to end. */
export interface Heartbeat {
  beat(detail: JsonValue): void
  /** Aborts with the caller's signal, and when a heartbeat was refused. */
  signal: AbortSignal
  stop(): void
}

/** Beats from here, not from the work: one in an endless loop lives too, and waiting in line is no death. */
export function startHeartbeat(
  { signal, onHeartbeat }: { signal: AbortSignal; onHeartbeat(detail: JsonValue): void },
  everyMs: number,
): Heartbeat {
  const refused = new AbortController()
  let last: JsonValue = null
  const beat = (detail: JsonValue) => {
    last = detail
    try {
      onHeartbeat(detail)
    } catch (error) {
      refused.abort(error)
    }
  }
  const timer = setInterval(() => beat(last), everyMs)
  return { beat, signal: AbortSignal.any([signal, refused.signal]), stop: () => clearInterval(timer) }
}
