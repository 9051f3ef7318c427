import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Tool, ToolResult } from '../contracts/tool'
import type { ScheduledMessages, ScheduleOutcome } from '../scheduling/scheduled-messages'
import { offeredInPrivate } from './offered-in-private'

const Parameters = Type.Object(
  {
    send_at: Type.String({
      description:
        'When to send it: the words of the person ("明早九点", "in 20 minutes", "next Monday 10:00") or an ISO time. Do not compute it yourself.',
    }),
    message_text: Type.String({ description: 'The text exactly as it will be sent then; no model reads it again.' }),
    replace_existing: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Cancel every message still pending in this chat first. Default false.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Promises one text for later in this private chat (seed 0). */
export function createSchedulePrivateMessage(scheduled: ScheduledMessages): Tool {
  return {
    name: 'schedule_private_message',
    description:
      'Schedules one text message to be sent to the person in this private chat at a later time: reminders, wake-ups, anything to be said later. Answers the exact time that was understood; tell it to the person.',
    parameters: Parameters,
    effects: ({ replace_existing: replaces }) => [
      { does: 'create', to: 'reminder' },
      ...(replaces === true ? [{ does: 'delete', to: 'reminder' } as const] : []),
    ],
    isOffered: offeredInPrivate,
    async execute(args, { session, turnId, fence, toolCallId, language }) {
      const {
        send_at: sendAt,
        message_text: messageText,
        replace_existing: replaceExisting = false,
      } = args as Static<typeof Parameters>
      const turn = { turnId, fence }
      const outcome = await scheduled.schedule(session, {
        sendAt,
        messageText,
        replaceExisting,
        language,
        toolCallId,
        turn,
      })
      return toResult(outcome)
    },
  }
}

function toResult(outcome: ScheduleOutcome): ToolResult {
  if (!outcome.ok) {
    const { reason, hint, detail } = outcome
    return { ok: false, reason, hint, data: detail === undefined ? {} : { detail } }
  }
  const { message, cancelledIds, local, phrase, note } = outcome
  return {
    ok: true,
    data: {
      task_id: message.id,
      session_id: message.sessionId,
      send_at: local,
      timezone: message.timezone,
      phrase,
      message_text: message.messageText,
      replace_existing: message.replaceExisting,
      cancelled_task_ids: cancelledIds,
      ...(note === undefined ? {} : { note }),
    },
  }
}
