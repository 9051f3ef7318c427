import { Type } from 'typebox'
import { DateTime } from 'luxon'
import { scheduledMessageWorkflowId } from './contract'
import type { ScheduledMessage } from './contract'
import { FOLLOW_UPS, SCHEDULED_MESSAGE_STATUSES } from '../contracts/words'
import { Chain, Nullable } from '../http/schemas/primitives'

const Instant = Type.Integer({ description: 'Epoch milliseconds.' })

export const Status = Type.Enum(SCHEDULED_MESSAGE_STATUSES)

export const ScheduledMessageView = Type.Object({
  id: Type.String(),
  session_id: Type.String(),
  bot_uuid: Type.String(),
  channel: Type.String(),
  chat_type: Type.String(),
  message_text: Type.String(),
  send_at: Type.String({ description: 'Local time with offset, in `timezone`.' }),
  timezone: Type.String(),
  send_at_ts: Instant,
  status: Status,
  replace_existing: Type.Boolean(),
  created_at_ts: Instant,
  updated_at_ts: Instant,
  created_by_tool_call_id: Nullable(Type.String()),
  cancelled_by_tool_call_id: Nullable(Type.String()),
  cancel_reason: Nullable(Type.String()),
  sent_message_id: Nullable(Type.Integer()),
  sent_at_ts: Nullable(Type.Integer()),
  late_by_ms: Nullable(Type.Integer()),
  last_error: Nullable(Type.String()),
  attempts: Type.Integer(),
  possible_duplicate: Type.Boolean(),
  source_kind: Type.String({ description: '`scheduled_send`, or `push` for a push that has to wait.' }),
  message_chain: Nullable(Chain),
  urgent: Type.Boolean({ description: 'Goes through quiet hours.' }),
  deferred_from: Nullable(Type.Integer({ description: 'When it was due before quiet hours moved it.' })),
  by_clock: Type.Boolean({ description: 'Promised for a clock time, which another zone would move.' }),
  until_done: Type.Boolean({ description: 'Said again every ten minutes, at most six times, until it is done.' }),
  repeats: Type.Integer({
    description: 'How often it was said again; of one that says another again, which time it is.',
  }),
  next_repeat_at_ts: Nullable(Type.Integer()),
  follow_up: Nullable(Type.Enum(FOLLOW_UPS)),
  followed_up_at_ts: Nullable(Type.Integer()),
  repeat_of: Nullable(Type.String()),
  snoozed_from: Nullable(Type.String()),
  workflow_id: Type.String(),
})

export function showScheduledMessage(message: ScheduledMessage) {
  return {
    id: message.id,
    session_id: message.sessionId,
    bot_uuid: message.botUuid,
    channel: message.channel,
    chat_type: message.chatType,
    message_text: message.messageText,
    send_at: localIso(message.sendAt, message.timezone),
    timezone: message.timezone,
    send_at_ts: message.sendAt.getTime(),
    status: message.status,
    replace_existing: message.replaceExisting,
    created_at_ts: message.createdAt.getTime(),
    updated_at_ts: message.updatedAt.getTime(),
    created_by_tool_call_id: message.createdByToolCallId,
    cancelled_by_tool_call_id: message.cancelledByToolCallId,
    cancel_reason: message.cancelReason,
    sent_message_id: message.sentMessageId,
    sent_at_ts: message.sentAt?.getTime() ?? null,
    late_by_ms: message.lateByMs,
    last_error: message.lastError,
    attempts: message.attempts,
    possible_duplicate: message.possibleDuplicate,
    source_kind: message.sourceKind,
    message_chain: message.chain,
    urgent: message.urgent,
    deferred_from: message.deferredFrom?.getTime() ?? null,
    by_clock: message.byClock,
    until_done: message.repeatSeconds !== null,
    repeats: message.repeats,
    next_repeat_at_ts: message.nextRepeatAt?.getTime() ?? null,
    follow_up: message.followUp,
    followed_up_at_ts: message.followedUpAt?.getTime() ?? null,
    repeat_of: message.repeatOf,
    snoozed_from: message.snoozedFrom,
    workflow_id: scheduledMessageWorkflowId(message.repeatOf ?? message.id),
  }
}

function localIso(instant: Date, zone: string): string {
  return DateTime.fromJSDate(instant, { zone }).toISO({ suppressMilliseconds: true }) ?? instant.toISOString()
}
