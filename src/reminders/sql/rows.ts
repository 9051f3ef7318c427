import type { PromiseEventData } from '../../contracts/event'
import type { ScheduledMessage } from '../contract'
import type { NewEvent } from '../../engine/session-writes'

/** A message as it is stored: what quiet hours will do to it is not in its row yet. */
export interface ScheduledMessageRow extends Omit<ScheduledMessage, 'sendAt'> {
  sendAtTs: Date
  /** When it will really come, by the quiet hours that are set now. */
  comesAt: Date
}

/** What is read of a message. */
export const READ = `id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone, status,
  replace_existing, created_at_ts AS created_at, updated_at_ts AS updated_at, created_by_tool_call_id,
  cancelled_by_tool_call_id, cancel_reason, sent_message_id, sent_at_ts AS sent_at, late_by_ms, last_error, attempts,
  possible_duplicate, source_kind, message_chain AS chain, urgent, deferred_from, by_clock, repeat_seconds, repeats,
  next_repeat_at, follow_up, followed_up_at, repeat_of, snoozed_from,
  comes_at(scheduled_messages) AS comes_at`

export function toScheduledMessage({ sendAtTs, comesAt, ...row }: ScheduledMessageRow): ScheduledMessage {
  const isKeptBack = comesAt.getTime() !== sendAtTs.getTime()
  return { ...row, sendAt: comesAt, deferredFrom: row.deferredFrom ?? (isKeptBack ? sendAtTs : null) }
}

/** A row that was just written, with what is told of it. */
export interface ChangedRow extends ScheduledMessageRow {
  event: PromiseEventData
}

/** What a statement that writes rows answers. */
export const CHANGED = `${READ}, promise_event(scheduled_messages) AS event`

export const toChangedMessage = ({ event: _told, ...row }: ChangedRow): ScheduledMessage => toScheduledMessage(row)

export const promiseEvent = ({ event }: ChangedRow): NewEvent => ({ name: 'promise', data: event })
