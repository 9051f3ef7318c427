/** Lets only so many calls run at once; the others wait in order. */
export interface CallGate {
  /** Ends with a release, or with nothing when the signal aborted first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>
}

export function createCallGate(size: number): CallGate {
  const waiting: (() => void)[] = []
  let inside = 0
  const admit = () => {
    inside += 1
    let left = false
    return () => {
      if (left) return
      left = true
      inside -= 1
      waiting.shift()?.()
    }
  }
  return {
    async enter(signal) {
      if (signal.aborted) return undefined
      if (inside < size) return admit()
      return new Promise((resolve) => {
        const enter = () => {
          signal.removeEventListener('abort', giveUp)
          resolve(admit())
        }
        const giveUp = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          resolve(undefined)
        }
        waiting.push(enter)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}
