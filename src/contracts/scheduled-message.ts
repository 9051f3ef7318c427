import type { MessageChain } from './message-chain'
import type { ChannelName, ScheduledMessageStatus } from './words'

/** A private message promised for later: every field of seed 0, and what became of it. */
export interface ScheduledMessage {
  id: string
  sessionId: string
  botUuid: string
  channel: ChannelName
  chatType: string
  messageText: string
  sendAt: Date
  timezone: string
  status: ScheduledMessageStatus
  replaceExisting: boolean
  createdAt: Date
  updatedAt: Date
  createdByToolCallId: string | null
  cancelledByToolCallId: string | null
  cancelReason: string | null
  sentMessageId: number | null
  sentAt: Date | null
  lateByMs: number | null
  lastError: string | null
  attempts: number
  possibleDuplicate: boolean
  /** A push that has to wait is kept like a promise. */
  sourceKind: ScheduledSourceKind
  /** Its parts; null when it is only its text. */
  chain: MessageChain | null
  /** Goes through quiet hours. */
  urgent: boolean
  /** When it was due before quiet hours moved it. */
  deferredFrom: Date | null
}

export type ScheduledSourceKind = 'scheduled_send' | 'push'

export const PENDING_LIMIT_PER_SESSION = 100
export const FARTHEST_YEARS = 1
/** Longest text a channel carries in one message, in characters. */
export const TEXT_LIMITS: Record<ChannelName, number> = { web: 10_000, webhook: 10_000, telegram: 4_096, onebot: 4_500 }

/** Why a message was cancelled; shown to people. */
export type CancelReason =
  | 'cancelled'
  | 'replaced'
  | 'cancelled by operator'
  | 'terminated by operator'
  | 'session deleted'
  | 'history deleted'
  | 'pushes turned off'

/** Workflow ids are business ids. */
export const scheduledMessageWorkflowId = (id: string) => `scheduled-message/${id}`
export const scheduledMessageIdOf = (workflowId: string) => workflowId.replace(/^scheduled-message\//, '')
export const scheduledMessageRef = (id: string) => `scheduled_message:${id}`

/** Ids only: no text of a person goes to Temporal. */
export interface ScheduledMessageInput {
  id: string
  sendAtMs: number
}

/** What an activity found at due time; `dueAtMs` says that quiet hours have moved it. */
export type DueOutcome =
  | { state: 'sent' | 'cancelled' | 'failed' | 'gone' }
  | { state: 'early'; waitMs: number; dueAtMs?: number }
  | { state: 'outside' }
