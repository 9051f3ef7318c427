import { EgressError, EgressTimeout } from './failures'

/** The time of one whole call: name, connection, head, body and redirects together. */
export interface Deadline {
  signal: AbortSignal
  /** Ends with the work or with the deadline, even where the work cannot be stopped (a name being looked up). */
  race<T>(work: Promise<T>): Promise<T>
  clear(): void
}

export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const onTimeout = () => controller.abort(new EgressTimeout('timeout', `no whole answer within ${ms} ms`))
  const onOuter = () => controller.abort(new EgressError('aborted', 'the caller gave up'))
  const timer = setTimeout(onTimeout, ms)
  const passed = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(asError(signal.reason)), { once: true })
  })
  // Nobody may be racing when it passes.
  passed.catch(() => undefined)
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  return {
    signal,
    race: (work) => Promise.race([work, passed]),
    clear() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new EgressError('aborted', String(reason))
}
