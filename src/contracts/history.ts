import type { MessageChain } from './message-chain'
import type { LauncherType } from './words'

/** A row of `message_history` with the columns of seed 4. */
export interface HistoryRow {
  id: number
  bot_uuid: string
  pipeline_uuid: string | null
  launcher_type: string
  launcher_id: string
  sender_id: string
  message_role: string
  message_content: string
  message_chain: MessageChain
  query_id: number | null
  created_at: Date
  updated_at: Date
}

/** All that is given must hold; `bots` are those the caller may see. */
export interface HistoryFilter {
  bots: 'all' | readonly string[]
  botUuid?: string
  launcherType?: LauncherType
  launcherId?: string
  senderId?: string
  pipelineUuid?: string
  since?: Date
  /** Only what was said before this message. */
  beforeId?: number
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** One person's or group's messages with one bot, over all its sessions. */
export interface ConversationKey {
  botUuid: string
  launcherType: LauncherType
  launcherId: string
}

export interface InactiveConversation {
  bot_uuid: string
  launcher_type: string
  launcher_id: string
  last_message_at: Date
}
