import { Type } from 'typebox'
import type { HistoryRow, InactiveConversation } from '../history-contract'
import { LAUNCHER_TYPES } from '../../contracts/words'
import { Chain, Id, Nullable } from '../../http/schemas/primitives'

const MAX_ID = 2_147_483_647
export const HISTORY_MOST = 1_000
export const INACTIVE_MOST = 200

const Instant = Type.String({ description: 'UTC, to the second.', examples: ['2024-11-17T10:30:00'] })

/** A message of the history as other programs read it. */
export const HistoryMessageView = Type.Object({
  id: Type.Integer(),
  bot_uuid: Type.String(),
  pipeline_uuid: Nullable(Type.String()),
  launcher_type: Type.String(),
  launcher_id: Type.String(),
  sender_id: Type.String(),
  message_role: Type.String({ examples: ['user', 'assistant'] }),
  message_content: Type.String(),
  message_chain: Chain,
  query_id: Nullable(Type.Integer()),
  created_at: Instant,
  updated_at: Instant,
})

export const ConversationView = Type.Object({
  bot_uuid: Type.String(),
  launcher_type: Type.String(),
  launcher_id: Type.String(),
  last_message_time: Instant,
})

export const HistoryQuery = Type.Object({
  bot_uuid: Type.Optional(Id(255)),
  launcher_type: Type.Optional(Type.Enum(LAUNCHER_TYPES)),
  launcher_id: Type.Optional(Id(255)),
  sender_id: Type.Optional(Id(255)),
  pipeline_uuid: Type.Optional(Id(255)),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: `100 unless told; ${HISTORY_MOST} at most.` })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'For depth, `before_id` is faster.' }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'ISO time, inclusive; a time without offset is UTC.',
      examples: ['2024-11-10T00:00:00', '2024-11-10T08:00:00+08:00'],
    }),
  ),
  before_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'Only what was said before this message.' }),
  ),
  order: Type.Optional(Type.Enum(['desc', 'asc'], { description: 'Newest first unless told.' })),
})

export const InactiveQuery = Type.Object({
  bot_uuid: Type.Optional(Id(255)),
  inactive_hours: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: '24 unless told.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: `50 unless told; ${INACTIVE_MOST} at most.` })),
})

export function showHistoryMessage(row: HistoryRow) {
  return {
    id: row.id,
    bot_uuid: row.botUuid,
    pipeline_uuid: row.pipelineUuid,
    launcher_type: row.launcherType,
    launcher_id: row.launcherId,
    sender_id: row.senderId,
    message_role: row.messageRole,
    message_content: row.messageContent,
    message_chain: row.messageChain,
    query_id: row.queryId,
    created_at: toSeconds(row.createdAt),
    updated_at: toSeconds(row.updatedAt),
  }
}

export function showConversation({ botUuid, launcherType, launcherId, lastMessageAt }: InactiveConversation) {
  return {
    bot_uuid: botUuid,
    launcher_type: launcherType,
    launcher_id: launcherId,
    last_message_time: toSeconds(lastMessageAt),
  }
}

/** `YYYY-MM-DDTHH:mm:ss`, UTC. */
const toSeconds = (instant: Date) => instant.toISOString().slice(0, 19)
