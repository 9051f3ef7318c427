import type { Automation } from '../contracts/automation'

/** How a workflow stands; `not_found` means Temporal has no memory of it. */
export type WorkflowState = 'open' | 'completed' | 'cancelled' | 'terminated' | 'failed' | 'timed_out' | 'not_found'

export interface MessageStart {
  id: string
  botUuid: string
  sessionKey: string
  sendAt: Date
  timezone: string
}

export interface RunStart {
  id: string
  botUuid: string
  sessionKey: string | null
}

/** A message on its way out or in. */
export interface LineStart {
  id: string
  botUuid: string
  sessionKey: string
}

export interface AutomationRunStart {
  workflowId: string
  automationId: string
  botUuid: string
  sessionKey: string
  slot: Date
}

/** Code of the error that every call throws when the engine is away: what it was asked may be asked again soon. */
export const ENGINE_AWAY = 'engine_away'

/** The clocks of automations. */
export interface AutomationSchedules {
  /** Makes the schedule what the automation says, whether it is there or not. */
  put(automation: Automation): Promise<void>
  remove(id: string): Promise<void>
  look(id: string): Promise<'running' | 'paused' | 'absent'>
  list(limit: number): Promise<Map<string, { paused: boolean }>>
}

/** The engine that keeps promises. Every call has a deadline and throws when the engine is away. */
export interface Scheduler {
  /** Starting what is started already counts as success. */
  startScheduledMessage(message: MessageStart): Promise<void>
  startRun(run: RunStart): Promise<void>
  startDelivery(delivery: LineStart): Promise<void>
  startInbound(inbound: LineStart): Promise<void>
  automationSchedules: AutomationSchedules
  /** A run whose workflow was lost, under the same id as before. */
  startAutomationRun(run: AutomationRunStart): Promise<void>
  /** Asks a workflow to end; one that has ended or is unknown is fine. */
  cancelWorkflow(workflowId: string): Promise<void>
  stateOf(workflowId: string): Promise<WorkflowState>
  /** Workflows of promises that ended otherwise than by completing. */
  listBroken(since: Date, limit: number): Promise<{ workflowId: string; state: WorkflowState }[]>
  /** Workflows of scheduled messages that were due before `due` and are still open. */
  listOpenPastDue(due: Date, limit: number): Promise<string[]>
  /** Whether the engine still has the schedules that it had: false when it is new or has lost its data. */
  remembersUs(): Promise<boolean>
  /** Registers what we need; `beforeFirst` runs when the engine has never seen us (or has lost its data). */
  ensureReady(beforeFirst: () => Promise<void>): Promise<void>
  check(): Promise<void>
  close(): Promise<void>
}
