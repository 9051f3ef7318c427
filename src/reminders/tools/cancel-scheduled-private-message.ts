import { refuse } from '../../contracts/refusal'
import { DateTime } from 'luxon'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { ScheduledMessage } from '../contract'
import { PENDING_LIMIT_PER_SESSION } from '../contract'
import { subjectOf, summaryOf } from '../../contracts/effect'
import { askWhichReminder } from '../questions'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool'
import type { ScheduledMessages } from '../scheduled-messages'
import { describeScheduled } from './describe-scheduled'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'
import { scheduledEffect } from './scheduled-effects'

const Parameters = Type.Object(
  {
    task_id: Type.Optional(Type.String({ description: 'The task_id of the message to cancel.' })),
    all: Type.Optional(Type.Boolean({ description: 'Cancel every pending message of this chat.' })),
  },
  { additionalProperties: false },
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Cancels one pending message, or all; says honestly what was cancelled and what was too late. */
export function createCancelScheduledPrivateMessage(scheduled: ScheduledMessages): Tool {
  return {
    name: 'cancel_scheduled_private_message',
    description:
      'Cancels a scheduled message of this private chat by task_id, or all of them. With neither it cancels the only pending one, or answers which there are.',
    parameters: Parameters,
    subject: ({ task_id: id }) => subjectOf('scheduled_message', { id }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const { task_id: id, all = false } = args as Static<typeof Parameters>
      if (id !== undefined) return cancelOne(scheduled, id, context)
      const pending = await listPending(scheduled, context)
      if (pending.length === 0) return refuse('nothing_pending', 'Nothing is scheduled in this chat.')
      if (pending.length > 1 && !all) return whichOne(pending, context)
      return cancel(scheduled, context)
    },
  }
}

async function cancelOne(scheduled: ScheduledMessages, id: string, context: ToolContext): Promise<ToolResult> {
  const known = UUID.test(id) ? await scheduled.find(id) : null
  if (known?.sessionId !== context.session.sessionKey) {
    return {
      ok: false,
      code: 'not_found',
      hint: 'No such task_id in this chat; use list_scheduled_private_messages.',
    }
  }
  return cancel(scheduled, context, id)
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

function whichOne(pending: ScheduledMessage[], context: ToolContext): ToolResult {
  const hint = 'Several are pending: ask which one, or cancel by task_id, or set all.'
  const messages = pending.map((message) => describeScheduled(message, context))
  const shown = pending.map(({ sendAt, messageText }) => ({
    at: clockOf(sendAt, context),
    text: summaryOf(messageText),
  }))
  return {
    ok: false,
    code: 'which_one',
    hint,
    data: { count: messages.length, scheduled_messages: messages },
    question: { text: askWhichReminder(shown, context.language) },
  }
}

const clockOf = (at: Date, { session }: ToolContext) =>
  DateTime.fromJSDate(at, { zone: session.timezone }).toFormat('yyyy-MM-dd HH:mm')

function listPending(scheduled: ScheduledMessages, { session }: ToolContext): Promise<ScheduledMessage[]> {
  return scheduled.list({
    bots: 'all',
    sessionKey: session.sessionKey,
    status: 'pending',
    sourceKind: 'scheduled_send',
    limit: PENDING_LIMIT_PER_SESSION,
  })
}
