import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, unavailable } from '../errors'

const DELAYS_MS = [100, 300, 1_000, 3_000, 5_000]

/** A write that ends a turn outlives a short absence of PostgreSQL; what cannot pass fails at once. */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await write()
    } catch (error) {
      if (error instanceof AppError) throw error
      await sleep(delayMs)
    }
  }
  return write().catch((error: unknown) => {
    throw error instanceof AppError
      ? error
      : unavailable('storage_failed', 'the answer could not be stored', 'Try again.', error)
  })
}
