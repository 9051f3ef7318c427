import { Type } from 'typebox'
import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'
import { refuse } from '../../contracts/refusal'
import type { Tool } from '../../contracts/tool'
import { tellScheduled } from '../scheduled-messages'
import type { ScheduledMessages } from '../scheduled-messages'
import { findMessage, POINTED } from './find-message'
import { changedEffects } from './scheduled-effects'
import { toRefusal } from './schedule-private-message'

const Parameters = Type.Object(
  {
    ...POINTED,
    send_at: Type.Optional(
      Type.String({
        description:
          'The new time in the words of the person. What it leaves out stays: "10点" keeps the day, "tomorrow" keeps the clock.',
      }),
    ),
    message_text: Type.Optional(Type.String({ description: 'The new text, exactly as it will be sent.' })),
    urgent: Type.Optional(Type.Boolean({ description: 'true: it must not wait for the end of quiet hours.' })),
  },
  { additionalProperties: false },
)

/** Another time, another text or both for one that is pending: cancelled and made anew in one transaction. */
export function createUpdateScheduledPrivateMessage(scheduled: ScheduledMessages): Tool {
  return {
    name: 'update_scheduled_private_message',
    description:
      'Changes a scheduled message of this private chat: its time, its text or both. Point at it by task_id, position or words; with none of them the only pending one is meant. It is cancelled and set anew, so it gets a new task_id; cancelled_task_ids names the old one.',
    parameters: Parameters,
    subject: ({ task_id: id }) => subjectOf('scheduled_message', { id }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const wish = args as Static<typeof Parameters>
      const old = await findMessage(scheduled, wish, 'change', context)
      if ('ok' in old) return old
      const { session, language, toolCallId, turnId, fence } = context
      if (old.sourceKind !== 'scheduled_send') return refuse('not_found', 'This is no reminder of the person.')
      const outcome = await scheduled.change(session, old, {
        sendAt: wish.send_at,
        messageText: wish.message_text,
        urgent: wish.urgent,
        language,
        toolCallId,
        turn: { turnId, fence },
      })
      if (!outcome.ok) return toRefusal(outcome, language)
      return { ok: true, effects: changedEffects(outcome), data: tellScheduled(outcome) }
    },
  }
}
