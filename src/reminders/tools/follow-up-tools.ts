import { Type } from 'typebox'
import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'
import { refuse } from '../../contracts/refusal'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool'
import { hintFor } from '../../time'
import type { ScheduledMessage } from '../contract'
import type { FollowUpResult } from '../follow-up'
import { askAnotherTime } from '../questions'
import type { ScheduledMessages } from '../scheduled-messages'
import { describeScheduled } from './describe-scheduled'
import { scheduledEffect } from './scheduled-effects'

const WHICH = {
  task_id: Type.Optional(
    Type.String({
      description: 'The task_id of the reminder; without it the one that the person answers, or the last sent.',
    }),
  ),
}
const SnoozeParameters = Type.Object(
  {
    ...WHICH,
    until: Type.Optional(
      Type.String({ description: 'When to say it again, in the words of the person; ten minutes unless they say.' }),
    ),
  },
  { additionalProperties: false },
)
const AcknowledgeParameters = Type.Object(WHICH, { additionalProperties: false })

/** "10分钟后再提醒我", "later": a reminder that was sent comes again. */
export function createSnoozeReminder(scheduled: ScheduledMessages): Tool {
  return {
    name: 'snooze_reminder',
    description:
      'Puts off a reminder that was just sent ("remind me again in 10 minutes", "later", "稍后"): the same words come again then. Not for one that is still to come: use update_scheduled_private_message.',
    parameters: SnoozeParameters,
    subject: ({ task_id: id }) => subjectOf('scheduled_message', { id }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const { task_id: given, until } = args as Static<typeof SnoozeParameters>
      const meant = await meantBy(scheduled, given, context)
      if (typeof meant !== 'string') return meant
      const { session, language, toolCallId, turnId, fence } = context
      const turn = { turnId, fence }
      const result = await scheduled.snooze(session, { id: meant, until, language, toolCallId, turn })
      return toResult(result, 'snoozed', context)
    },
  }
}

/** "好了", "done": a reminder that was sent is settled, and said no more. */
export function createAcknowledgeReminder(scheduled: ScheduledMessages): Tool {
  return {
    name: 'acknowledge_reminder',
    description:
      'Marks a reminder that was sent as done ("done", "好了", "知道了"), so that it is not said again. Call it when the person answers a reminder so.',
    parameters: AcknowledgeParameters,
    subject: ({ task_id: id }) => subjectOf('scheduled_message', { id }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const { task_id: given } = args as Static<typeof AcknowledgeParameters>
      const meant = await meantBy(scheduled, given, context)
      if (typeof meant !== 'string') return meant
      const { session, turnId, fence } = context
      return toResult(
        await scheduled.acknowledge(session, { id: meant, turn: { turnId, fence } }),
        'acknowledged',
        context,
      )
    },
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function meantBy(
  scheduled: ScheduledMessages,
  given: string | undefined,
  { session, turnId }: ToolContext,
): Promise<string | Extract<ToolResult, { ok: false }>> {
  if (given !== undefined) return UUID.test(given) ? given : refuse('not_found', 'No such task_id in this chat.')
  const last = await scheduled.findLastSent(session.sessionKey, turnId)
  return last?.id ?? refuse('nothing_sent', 'No reminder of the last day waits for an answer in this chat.')
}

function toResult(result: FollowUpResult, did: 'snoozed' | 'acknowledged', context: ToolContext): ToolResult {
  if (!result.ok) {
    const { code, hint, message, detail } = result
    const about = message ? { scheduled_message: describeScheduled(message, context) } : undefined
    if (detail === undefined) return refuse(code, hint, about)
    const question = { text: askAnotherTime(hintFor(detail, context.language), context.language) }
    return { ...refuse(code, hint, { detail }), question }
  }
  const shown: ScheduledMessage = result.next ?? result.message
  const { due_at: dueAt, ...effect } = scheduledEffect(did, result.message)
  const due = result.next ? { due_at: result.next.sendAt.toISOString() } : dueAt === undefined ? {} : { due_at: dueAt }
  return {
    ok: true,
    effects: [{ ...effect, ...due }],
    data: {
      ...describeScheduled(shown, context),
      timezone: context.session.timezone,
      [`${did}_task_id`]: result.message.id,
    },
  }
}
