import type { Logger } from 'pino'

/**
 * How a process ends: SIGTERM, SIGINT or the end of its parent (the channel closes) drain it once; what has not drained
 * by the deadline is left to the leases.
 */
export function runUntilStopped(
  { logger, drainMs }: { logger: Logger; drainMs: number },
  drain: () => Promise<void>,
): void {
  let stopping = false
  const stop = (reason: string) => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    const deadline = setTimeout(() => process.exit(1), drainMs)
    deadline.unref()
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', () => stop('SIGTERM'))
  process.once('SIGINT', () => stop('SIGINT'))
  if (!process.send) return
  process.once('disconnect', () => stop('parent ended'))
  // It may have ended while this process was starting.
  if (!process.connected) stop('parent ended')
}

export function tellParent(message: { type: 'ready'; url?: string }): void {
  if (process.connected) process.send?.(message)
}
