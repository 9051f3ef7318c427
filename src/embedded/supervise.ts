import { pause } from './wait'

const FIRST_BACK_OFF_MS = 100
const LONGEST_BACK_OFF_MS = 5_000
/** Up for this long, it counts as healthy and its next end is met without delay. */
const HEALTHY_AFTER_MS = 30_000
const FAILURES_ALLOWED = 5
const FAILURE_WINDOW_MS = 60_000

/** One life of a process under supervision. */
export interface Life {
  /** Resolves with how it ended, in words. */
  ended: Promise<string>
  stop(): Promise<void>
  kill(): void
}

export interface SuperviseOptions {
  name: string
  /** Resolves when it is up and answers; rejects when it could not start. */
  start(signal: AbortSignal): Promise<Life>
  say(line: string): void
  /** It failed to start again and again: nothing more is tried. */
  onGiveUp(error: Error): void
}

export interface Supervisor {
  /** Resolves once the process is up, at once if it is. */
  whenUp(): Promise<void>
  stop(): Promise<void>
  kill(): void
}

/** Keeps one process alive: whatever ends it, it is started again after a short and growing pause. */
export function supervise({ name, start, say, onGiveUp }: SuperviseOptions): Supervisor {
  const aborter = new AbortController()
  let life: Life | undefined
  const up = createGate()
  const failures = countFailures()
  const backOff = createBackOff()

  async function live(): Promise<void> {
    while (!aborter.signal.aborted) {
      const startedAt = Date.now()
      life = await attempt()
      if (life === undefined) continue
      if (aborter.signal.aborted) return life.stop()
      up.open()
      const how = await life.ended
      life = undefined
      up.close()
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) backOff.reset()
      await rest(`${name} ended (${how})`)
    }
  }

  async function attempt(): Promise<Life | undefined> {
    try {
      return await start(aborter.signal)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (failures.add() >= FAILURES_ALLOWED) throw new Error(`${name} does not start: ${reason}`, { cause: error })
      await rest(`${name} did not start (${reason})`)
      return undefined
    }
  }

  async function rest(event: string): Promise<void> {
    if (aborter.signal.aborted) return
    const delayMs = backOff.next()
    say(`${event}; starting it again in ${delayMs / 1000} s`)
    await pause(delayMs, undefined, { signal: aborter.signal }).catch(() => undefined)
  }

  const living = live().catch((error: unknown) => {
    if (!aborter.signal.aborted) onGiveUp(error instanceof Error ? error : new Error(String(error)))
  })
  return {
    whenUp: () => up.passed(),
    async stop() {
      aborter.abort()
      await life?.stop()
      await living
    },
    kill() {
      aborter.abort()
      life?.kill()
    },
  }
}

/** Whoever asks while it is closed waits until it opens. */
function createGate() {
  let isOpen = false
  let waiting: (() => void)[] = []
  return {
    open(): void {
      isOpen = true
      for (const pass of waiting) pass()
      waiting = []
    },
    close(): void {
      isOpen = false
    },
    passed: () => (isOpen ? Promise.resolve() : new Promise<void>((pass) => waiting.push(pass))),
  }
}

function countFailures() {
  let times: number[] = []
  return {
    add(): number {
      times = [...times.filter((time) => Date.now() - time < FAILURE_WINDOW_MS), Date.now()]
      return times.length
    },
  }
}

function createBackOff() {
  let delayMs = FIRST_BACK_OFF_MS
  return {
    next(): number {
      const current = delayMs
      delayMs = Math.min(delayMs * 2, LONGEST_BACK_OFF_MS)
      return current
    },
    reset(): void {
      delayMs = FIRST_BACK_OFF_MS
    },
  }
}
