import { Context } from '@temporalio/activity'

const EVERY_MS = 3_000

/** Runs the work under heartbeats, so that a worker that dies in it is noticed by its silence. */
export async function underHeartbeats<T>(work: () => Promise<T>): Promise<T> {
  const { heartbeat } = Context.current()
  heartbeat()
  const beat = setInterval(heartbeat, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
  }
}
