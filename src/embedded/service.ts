/** A process we answer for, whether started by us or found running and adopted. */
export interface RunningService {
  pid: number
  /** It was left running by a parent that was killed, and is used as it is. */
  adopted: boolean
  stop(): Promise<void>
  /** Ends it at once; its data survives that. */
  kill(): void
}
