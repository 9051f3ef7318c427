import { Type } from 'typebox'
import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'
import { refuse } from '../../contracts/refusal'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool'
import type { ScheduledMessages } from '../scheduled-messages'
import { describeScheduled } from './describe-scheduled'
import { findMessage, isPointed, listPending, POINTED, whichOne } from './find-message'
import { scheduledEffect } from './scheduled-effects'

const Parameters = Type.Object(
  {
    ...POINTED,
    all: Type.Optional(Type.Boolean({ description: 'Cancel every pending message of this chat.' })),
  },
  { additionalProperties: false },
)

/** Cancels one pending message, or all; says honestly what was cancelled and what was too late. */
export function createCancelScheduledPrivateMessage(scheduled: ScheduledMessages): Tool {
  return {
    name: 'cancel_scheduled_private_message',
    description:
      'Cancels a scheduled message of this private chat by task_id, position or words, or all of them. With none of these it cancels the only pending one, or answers which there are.',
    parameters: Parameters,
    subject: ({ task_id: id }) => subjectOf('scheduled_message', { id }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const { all = false, ...pointed } = args as Static<typeof Parameters>
      if (isPointed(pointed)) {
        const meant = await findMessage(scheduled, pointed, 'cancel', context)
        return 'ok' in meant ? meant : cancel(scheduled, context, meant.id)
      }
      const pending = await listPending(scheduled, context)
      if (pending.length === 0) return refuse('nothing_pending', 'Nothing is scheduled in this chat.')
      if (pending.length > 1 && !all) return whichOne(pending, 'which_one', { verb: 'cancel', context })
      return cancel(scheduled, context)
    },
  }
}

async function cancel(scheduled: ScheduledMessages, context: ToolContext, id?: string): Promise<ToolResult> {
  const { session, toolCallId, turnId, fence } = context
  const cancelled = await scheduled.cancel(session.sessionKey, {
    id,
    sourceKind: 'scheduled_send',
    reason: 'cancelled',
    toolCallId,
    turn: { turnId, fence },
  })
  if (cancelled.length === 0) return tooLate(scheduled, id)
  const messages = cancelled.map((message) => describeScheduled(message, context))
  return {
    ok: true,
    effects: cancelled.map((message) => scheduledEffect('cancelled', message)),
    data: { cancelled_task_ids: cancelled.map((message) => message.id), scheduled_messages: messages },
  }
}

/** The race was lost: it has been sent, or is being sent, or was cancelled before. */
async function tooLate(scheduled: ScheduledMessages, id: string | undefined): Promise<ToolResult> {
  const status = id === undefined ? 'pending' : ((await scheduled.find(id))?.status ?? 'gone')
  const hint = status === 'cancelled' ? 'It was cancelled already.' : 'It was too late: it has been or is being sent.'
  return refuse('too_late', hint, { status })
}
