import type { MessageChain } from '../contracts/message-chain'
import type { ChannelName, FollowUp, ScheduledMessageStatus } from '../contracts/words'

/** A private message promised for later: with what became of it (docs/reminders.md). */
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
  /** Promised for a clock time, which another zone would move. */
  byClock: boolean
  /** Said again so often until it is done; null when it is said once. */
  repeatSeconds: number | null
  /** How often it was said again; of one that says another again, which time it is. */
  repeats: number
  nextRepeatAt: Date | null
  followUp: FollowUp | null
  followedUpAt: Date | null
  /** The one that this says again. */
  repeatOf: string | null
  /** The one that was put off to this. */
  snoozedFrom: string | null
}

export type ScheduledSourceKind = 'scheduled_send' | 'push'

export const PENDING_LIMIT_PER_SESSION = 100
/** One that is said until it is done is said again so often, and so many times at most. */
export const REPEAT_SECONDS = 600
export const MOST_REPEATS = 6
/** How long a reminder is put off when nobody says how long. */
export const SNOOZE_WORDS = { zh: '10分钟后', en: 'in 10 minutes' } as const
export const FARTHEST_YEARS = 1
/** Longest text of one message, in characters. What is longer than a platform carries goes there in parts. */
export const TEXT_LIMIT = 10_000

/** Why a message was cancelled; shown to people. */
export type CancelReason =
  | 'cancelled'
  | 'replaced'
  | 'cancelled by operator'
  | 'terminated by operator'
  | 'session deleted'
  | 'history deleted'
  | 'pushes turned off'
  | 'done'

const CANCELLING = ['cancelled by operator', 'terminated by operator', 'session deleted'] as const

/** Whether somebody wanted the end of a delivery: then its promise is cancelled, not failed. */
export const isCancelling = (reason: string): reason is (typeof CANCELLING)[number] =>
  CANCELLING.some((known) => known === reason)

/** Workflow ids are business ids. */
export const scheduledMessageWorkflowId = (id: string) => `scheduled-message/${id}`
export const scheduledMessageIdOf = (workflowId: string) => workflowId.replace(/^scheduled-message\//, '')
export const scheduledMessageRef = (id: string) => `scheduled_message:${id}`

/** Ids only: no text of a person goes to Temporal. */
export interface ScheduledMessageInput {
  id: string
  sendAtMs: number
}

/**
 * What an activity found at due time. `dueAtMs` says that quiet hours have moved it, `handed_over` that its delivery
 * carries on; `outside` is what activities answered before there was one outgoing line. `repeats` is one that is said
 * again unless it is done by then.
 */
export type DueOutcome =
  | { state: 'sent' | 'cancelled' | 'failed' | 'gone' | 'handed_over' | FollowUp }
  | { state: 'repeats'; waitMs: number; dueAtMs: number; number: number }
  | { state: 'early'; waitMs: number; dueAtMs?: number }
  | { state: 'outside' }
