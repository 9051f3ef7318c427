import type { MessageChain } from '../contracts/message-chain'

/** What may be pushed in any minute; half of it at once, the other half as the minute goes by. */
export interface PushLimits {
  perKey: number
  perBot: number
  perTarget: number
}

/** What became of a push; kept for a day under its `Idempotency-Key`, so nothing of the message is in it. */
export interface PushAnswer {
  status: 'sent' | 'deferred' | 'queued' | 'failed'
  session_key: string
  /** The row of the history, once it is sent. */
  message_id: number | null
  /** The promise that keeps it, when it has to wait. */
  scheduled_message_id: string | null
  /** When it will be sent, if it has to wait. */
  send_at: string | null
  error: string | null
}

export interface PushContent {
  text: string
  /** Absent when it is only its text. */
  chain: MessageChain | undefined
  pipelineUuid: string | undefined
  urgent: boolean
}
