import type { DeltaData } from '../contracts/event'

/** Wakes those who watch a session; it only points at rows, so losing a wake-up loses nothing but time. */
export interface LiveBus {
  /** `onWake` is called whenever the session may have new rows, and after every reconnect. Returns the unsubscribe. */
  subscribe(sessionKey: string, watcher: LiveWatcher): () => void
  publishDelta(sessionKey: string, delta: DeltaData): void
  /** Resolves when all that was published has been handed over, so that what is written next is heard after it. */
  flushDeltas(): Promise<void>
  close(): Promise<void>
}

export interface LiveWatcher {
  onWake: () => void
  onDelta?: (delta: DeltaData) => void
}
