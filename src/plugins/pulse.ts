import type { PluginCall } from '../contracts/plugin'
import type { JsonValue } from '../contracts/words'

/** Tells the caller that a call lives, and tells the call when the caller wants it to end. */
export interface Pulse {
  beat(detail: JsonValue): void
  /** Aborts with the caller's signal, and when a heartbeat was refused. */
  signal: AbortSignal
  stop(): void
}

/** Beats from here, not from the handler: one in an endless loop lives too, and waiting in line is no death. */
export function startPulse({ signal, onHeartbeat }: PluginCall, everyMs: number): Pulse {
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
