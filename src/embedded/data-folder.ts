import path from 'node:path'
import type { Lock } from './lock'
import { LockHeldError, takeLock } from './lock'

/** One start per data folder: two would run the same database twice. */
export function takeDataFolder(dataDir: string): Lock {
  try {
    return takeLock(path.join(dataDir, 'lock.json'))
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error
    throw new Error(
      `Punctual is already running on ${dataDir} (process ${error.pid}). Stop it first, or set PUNCTUAL_DATA_DIR and PORT for a second one`,
      { cause: error },
    )
  }
}
