/** How a promise stands, whatever its kind. */
export const PROMISE_STATES = ['pending', 'sent', 'failed', 'cancelled', 'missed', 'paused', 'ended'] as const

/** Kept this soon after it was due counts as on time. */
export const ON_TIME_WITHIN_MS = 1_000

/** Anything due later, in the one list over all kinds. */
export interface PromiseItem {
  kind: string
  id: string
  sessionKey: string
  botUuid: string
  dueAt: Date
  state: string
  summary: string
  workflowId: string
  lateByMs: number | null
}
