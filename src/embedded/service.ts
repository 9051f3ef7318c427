import { untilGone } from './process'

export interface Launched {
  pid: number
  /** Resolves when its process is gone. */
  ended: Promise<void>
}

/** A process we answer for, whether started by us or found running and adopted. */
export interface RunningService extends Launched {
  /** It was left running by a parent that was killed, and is used as it is. */
  adopted: boolean
  stop(): Promise<void>
  /** Ends it at once; its data survives that. */
  kill(): void
}

/** Nobody's child any more: it has to be looked for now and then. */
export const adopted = (pid: number): Launched => ({ pid, ended: untilGone(pid) })
