import type { PromiseEventData } from '../../contracts/event'
import type { MessageChain } from '../../contracts/message-chain'
import type { ScheduledMessage, ScheduledSourceKind } from '../../contracts/scheduled-message'
import type { ChannelName, ScheduledMessageStatus } from '../../contracts/words'
import type { NewEvent } from '../session-writes'

export interface ScheduledMessageRow {
  id: string
  session_id: string
  bot_uuid: string
  channel: ChannelName
  chat_type: string
  message_text: string
  send_at_ts: Date
  timezone: string
  status: ScheduledMessageStatus
  replace_existing: boolean
  created_at_ts: Date
  updated_at_ts: Date
  created_by_tool_call_id: string | null
  cancelled_by_tool_call_id: string | null
  cancel_reason: string | null
  sent_message_id: number | null
  sent_at_ts: Date | null
  late_by_ms: number | null
  last_error: string | null
  attempts: number
  possible_duplicate: boolean
  source_kind: ScheduledSourceKind
  message_chain: MessageChain | null
  pipeline_uuid: string | null
  urgent: boolean
  deferred_from: Date | null
}

export function toScheduledMessage(row: ScheduledMessageRow): ScheduledMessage {
  return {
    id: row.id,
    sessionId: row.session_id,
    botUuid: row.bot_uuid,
    channel: row.channel,
    chatType: row.chat_type,
    messageText: row.message_text,
    sendAt: row.send_at_ts,
    timezone: row.timezone,
    status: row.status,
    replaceExisting: row.replace_existing,
    createdAt: row.created_at_ts,
    updatedAt: row.updated_at_ts,
    createdByToolCallId: row.created_by_tool_call_id,
    cancelledByToolCallId: row.cancelled_by_tool_call_id,
    cancelReason: row.cancel_reason,
    sentMessageId: row.sent_message_id,
    sentAt: row.sent_at_ts,
    lateByMs: row.late_by_ms,
    lastError: row.last_error,
    attempts: row.attempts,
    possibleDuplicate: row.possible_duplicate,
    sourceKind: row.source_kind,
    chain: row.message_chain,
    urgent: row.urgent,
    deferredFrom: row.deferred_from,
  }
}

/** A promise is shown with the beginning of its text. */
export const SUMMARY_CHARACTERS = 100

export function promiseEvent(
  row: Pick<ScheduledMessageRow, 'id' | 'status' | 'send_at_ts' | 'message_text' | 'late_by_ms' | 'deferred_from'>,
): NewEvent {
  const data: PromiseEventData = {
    kind: 'scheduled_message',
    id: row.id,
    state: row.status,
    due_at: row.send_at_ts.toISOString(),
    summary: [...row.message_text].slice(0, SUMMARY_CHARACTERS).join(''),
    late_by_ms: row.late_by_ms,
    ...(row.deferred_from === null ? {} : { deferred_from: row.deferred_from.toISOString() }),
  }
  return { name: 'promise', data }
}
