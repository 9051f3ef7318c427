import type { AutomationRunState, QueueOutcome } from '../automations/contract'
import type { DeliveryOutcome } from './delivery'
import type { ResultCode } from '../runs/plugins/contract'
import type { DueFeedback, RunOutline, SettledStep } from '../runs/contract'
import type { DueOutcome } from '../reminders/contract'

/** What workflows may ask of the outside world. Renaming one breaks what is running. */
export interface Activities extends RunActivities, AutomationActivities {
  /** Sends all web messages that are due, hands over one that leaves for a platform, and answers how this one stands. */
  deliverDue(id: string): Promise<DueOutcome>
  /** What workflows asked that began before there was one outgoing line: hands the message over. */
  sendOutside(id: string): Promise<DueOutcome>
  /** The workflow was cancelled in Temporal: a request that the row decides. Answers how the message stands. */
  cancelByOperator(id: string): Promise<DueOutcome>
  /** One try to bring a message to its platform; throws for another try, answers when it is over. */
  deliverMessage(id: string): Promise<DeliveryOutcome>
  /** The delivery was cancelled in Temporal: it is given up, and the next of its session may go. */
  giveUpDelivery(id: string, reason: string): Promise<void>
  /** Runs the turn of a message that came in from a platform, under heartbeats. */
  answerInbound(id: string): Promise<void>
  /** One pass of the reconciler. */
  reconcile(): Promise<Record<string, number>>
  /** Moves messages past their time into files; answers how many. */
  archiveOldMessages(): Promise<number>
  /** One pass over long conversations. */
  dream(): Promise<{ summarised: number; failed: number }>
}

/** What the workflow of an automation's run asks. */
export interface AutomationActivities {
  /** A slot is due: it gets its run and its place in the session's queue. */
  queueAutomation(due: {
    automationId: string
    slotMs: number
    startedMs: number
    workflowId: string
  }): Promise<QueueOutcome>
  /** Waits for the session and runs the turn; asked again, it goes on or answers how it ended. */
  runAutomationTurn(runId: string): Promise<AutomationRunState>
  /** The workflow cannot go on: the run ends visibly, if the row agrees. */
  stopAutomationRun(runId: string, state: 'cancelled' | 'failed', error: string): Promise<void>
}

/** What the workflow of a run asks. */
export interface RunActivities {
  loadRun(id: string): Promise<RunOutline>
  /** Completes the arguments, reads the schedule, tells `args`. A step that waited for its place counts from now. */
  settleStep(id: string, stepIndex: number, waited?: boolean): Promise<SettledStep>
  /** Calls the plugin under heartbeats and keeps its result. */
  callPlugin(id: string, stepIndex: number): Promise<{ code: ResultCode }>
  /** Has the model write what the step will tell, for as long as nobody has to wait for it. */
  prepareWords(id: string, stepIndex: number, what: 'progress' | 'result'): Promise<void>
  /** Tells all steps whose deadline has come, in one transaction: the result that is there, else the interim state. */
  tellDue(id: string): Promise<DueFeedback>
  /** The one interim message at the deadline. */
  reportProgress(id: string, stepIndex: number): Promise<void>
  /** The one final word of a step; answers whether it succeeded. */
  reportResult(id: string, stepIndex: number): Promise<boolean>
  skipStep(id: string, stepIndex: number, failed: number[]): Promise<void>
  completeRun(id: string): Promise<string>
  /** The workflow was cancelled in Temporal: a request that the row decides. */
  cancelRunByOperator(id: string): Promise<void>
}
