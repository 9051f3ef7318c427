import type { ChannelName } from './words'

export const DELIVERY_STATES = ['pending', 'sent', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The way of one message out to its platform. */
export interface Delivery {
  id: string
  /** Null until a promised message is sent. */
  messageId: number | null
  /** The promise that it keeps. */
  scheduledMessageId: string | null
  sessionKey: string
  botUuid: string
  channel: ChannelName
  state: DeliveryState
  attempts: number
  /** The receipt: what the platform calls each part of the message. */
  platformMessageIds: string[]
  /** What the platform could not show and got as text instead. */
  degraded: string | null
  lastError: string | null
  possibleDuplicate: boolean
  createdAt: Date
  endedAt: Date | null
}

export const deliveryWorkflowId = (id: string) => `delivery/${id}`
export const deliveryIdOf = (workflowId: string) => workflowId.replace(/^delivery\//, '')
/** What a receiver sees as the id of the message, the same over all retries. */
export const deliveryRef = (id: string) => `delivery:${id}`

/** Ids only: no text of a person goes to Temporal. */
export interface DeliveryInput {
  id: string
}

/** How a delivery stands after a try; `gone` is one whose row was deleted, `early` one that quiet hours keep back. */
export type DeliveryOutcome = { state: 'sent' | 'failed' | 'gone' } | { state: 'early'; waitMs: number }
