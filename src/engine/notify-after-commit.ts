import type { Pool } from 'pg'
import { SESSION_CHANNEL } from '../contracts/event'
import { createSingleFlight } from './waiting'

/**
 * Wakes the watchers of sessions right after a commit. NOTIFY inside a transaction makes all commits of the database wait
 * for each other's disk write; told afterwards, and together, the commits share one. A wake-up that a crash swallows
 * loses nothing but time: whoever watches looks anyway every few seconds.
 */
export interface Wakes {
  wake(sessionKey: string): void
  /** Resolves when everything asked for so far was told. */
  settled(): Promise<void>
}

export function createWakes(pool: Pool): Wakes {
  const waiting = new Set<string>()
  const telling = createSingleFlight(tellAll)

  async function tellAll(): Promise<void> {
    while (waiting.size > 0) {
      const sessionKeys = [...waiting]
      waiting.clear()
      await pool
        .query(`SELECT pg_notify('${SESSION_CHANNEL}', key) FROM unnest($1::text[]) AS key`, [sessionKeys])
        .catch(() => undefined)
    }
  }

  return {
    wake(sessionKey) {
      waiting.add(sessionKey)
      void telling.join()
    },
    settled: async () => telling.current(),
  }
}
