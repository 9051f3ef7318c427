import type { Delivery, DeliveryState } from '../../contracts/delivery'
import type { ChannelName } from '../../contracts/words'

export interface DeliveryRow {
  id: string
  message_id: number
  session_key: string
  bot_uuid: string
  channel: ChannelName
  state: DeliveryState
  attempts: number
  platform_message_ids: string[]
  degraded: string | null
  last_error: string | null
  possible_duplicate: boolean
  created_at: Date
  ended_at: Date | null
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    messageId: row.message_id,
    sessionKey: row.session_key,
    botUuid: row.bot_uuid,
    channel: row.channel,
    state: row.state,
    attempts: row.attempts,
    platformMessageIds: row.platform_message_ids,
    degraded: row.degraded,
    lastError: row.last_error,
    possibleDuplicate: row.possible_duplicate,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
