import { onNpmGone } from './npm-parent'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface Closer {
  stop(): Promise<void> | void
  /** For the second Ctrl-C: at once, without draining. */
  kill(): void
}

export interface Shutdown {
  /** Aborted when the end begins; start-up work that is under way gives up. */
  signal: AbortSignal
  /** What is added last is stopped first; what is added together is stopped together. */
  add(...closers: Closer[]): void
  /** Says why it cannot go on, and ends with exit code 1. */
  fail(error: unknown): void
}

/** One way out for Ctrl-C, SIGTERM, a closed terminal and failures: stop everything in reverse order, then exit. */
export function createShutdown(say: (line: string) => void): Shutdown {
  const aborter = new AbortController()
  const groups: Closer[][] = []
  const everything: Closer[] = []

  async function stopAll(exitCode: number): Promise<void> {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const results = await Promise.allSettled(group.map(async (closer) => closer.stop()))
      for (const result of results) if (result.status === 'rejected') say(`while stopping: ${String(result.reason)}`)
    }
    process.exit(exitCode)
  }

  function killAll(): void {
    say('stopping at once')
    for (const closer of everything.reverse()) closer.kill()
    process.exit(130)
  }

  function begin(exitCode: number): void {
    if (aborter.signal.aborted) return
    aborter.abort()
    void stopAll(exitCode)
  }

  onNpmGone((what) => {
    if (!aborter.signal.aborted) say(`${what}: stopping`)
    begin(0)
  })
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (aborter.signal.aborted) return killAll()
      say(`${signal}: stopping; once more stops at once`)
      begin(0)
    })
  }
  return {
    signal: aborter.signal,
    add(...closers) {
      groups.push(closers)
      everything.push(...closers)
    },
    fail(error) {
      if (!aborter.signal.aborted) say(error instanceof Error ? error.message : String(error))
      begin(1)
    },
  }
}
