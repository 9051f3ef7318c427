import type { DueOutcome } from './scheduled-message'

/** What workflows may ask of the outside world. Renaming one breaks what is running. */
export interface Activities {
  /** Sends all web messages that are due and answers how this one stands. */
  deliverDue(id: string): Promise<DueOutcome>
  /** One try on an outside channel; throws for another try, answers when it is over. */
  sendOutside(id: string): Promise<DueOutcome>
  /** The workflow was cancelled in Temporal: a request that the row decides. Answers how the message stands. */
  cancelByOperator(id: string): Promise<DueOutcome>
  /** One pass of the reconciler. */
  reconcile(): Promise<Record<string, number>>
}
