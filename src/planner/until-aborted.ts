/** Waits no longer than the signal lets it; what was started goes on unheard, and the turn's fence stops its writes. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stopWaiting = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stopWaiting = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stopWaiting, { once: true })
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stopWaiting)
    work.catch(() => {})
  }
}
