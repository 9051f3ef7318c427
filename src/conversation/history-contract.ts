import type { MessageChain } from '../contracts/message-chain'
import type { ChannelName, LauncherType } from '../contracts/words'

/** A row of `message_history` with the columns that other programs know. */
export interface HistoryRow {
  id: number
  botUuid: string
  pipelineUuid: string | null
  launcherType: string
  launcherId: string
  senderId: string
  messageRole: string
  messageContent: string
  messageChain: MessageChain
  queryId: number | null
  createdAt: Date
  updatedAt: Date
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
  botUuid: string
  launcherType: string
  launcherId: string
  lastMessageAt: Date
}

/** A session in which a conversation is held. */
export interface ConversationPlace {
  sessionKey: string
  channel: ChannelName
  /** Somebody but the bot has spoken there. */
  heard: boolean
}
