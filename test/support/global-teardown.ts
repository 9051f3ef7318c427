import type { ChildProcess } from 'node:child_process'
import { reap } from './reaper'

declare global {
  /** Handed from globalSetup to globalTeardown, which run in the same process. */
  var punctualReaper: ChildProcess | undefined
}

export default async function globalTeardown(): Promise<void> {
  if (globalThis.punctualReaper !== undefined) await reap(globalThis.punctualReaper)
}
