import { refuse } from '../../contracts/refusal'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import { askAnotherTime } from '../questions'
import type { Tool, ToolResult } from '../../contracts/tool'
import type { Language } from '../../contracts/words'
import { tellScheduled } from '../scheduled-messages'
import type { ScheduledMessages, ScheduleOutcome } from '../scheduled-messages'
import { hintFor } from '../../time'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'
import { replacedEffects, scheduledEffect } from './scheduled-effects'

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
    urgent: Type.Optional(
      Type.Boolean({ description: 'true: it must not wait for the end of quiet hours. Default false.' }),
    ),
    until_done: Type.Optional(
      Type.Boolean({
        description:
          'true: said again every 10 minutes, at most 6 times, until the person says that it is done ("keep reminding me until I did it"). Default false.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Promises one text for later in this private chat. */
export function createSchedulePrivateMessage(scheduled: ScheduledMessages): Tool {
  return {
    name: 'schedule_private_message',
    description:
      'Schedules one text message to be sent to the person in this private chat at a later time: reminders, wake-ups, anything to be said later. To change one that is set use update_scheduled_private_message. Answers the exact time that was understood; tell it to the person.',
    parameters: Parameters,
    subject: ({ message_text: text }) => subjectOf('scheduled_message', { text }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, { session, turnId, fence, toolCallId, language }) {
      const {
        send_at: sendAt,
        message_text: messageText,
        replace_existing: replaceExisting = false,
        urgent,
        until_done: untilDone,
      } = args as Static<typeof Parameters>
      const turn = { turnId, fence }
      const outcome = await scheduled.schedule(session, {
        sendAt,
        messageText,
        replaceExisting,
        urgent,
        untilDone,
        language,
        toolCallId,
        turn,
      })
      return toResult(outcome, language)
    },
  }
}

/** Nearer than what the reader of times takes. */
const TOO_FAR: Record<Language, string> = {
  zh: '最远可以定在一年之内，请给一个近一些的时间。',
  en: 'At most one year ahead is possible. Give a nearer time.',
}

/** What is wrong with the time is put to the person. */
export function toRefusal(
  { code, hint, detail }: Extract<ScheduleOutcome, { ok: false }>,
  language: Language,
): Extract<ToolResult, { ok: false }> {
  if (detail === undefined) return refuse(code, hint)
  const why = detail === 'too_far' ? TOO_FAR[language] : hintFor(detail, language)
  return { ...refuse(code, hint, { detail }), question: { text: askAnotherTime(why, language) } }
}

function toResult(outcome: ScheduleOutcome, language: Language): ToolResult {
  if (!outcome.ok) return toRefusal(outcome, language)
  const { message, cancelledIds } = outcome
  const effects = [...replacedEffects(cancelledIds), scheduledEffect('created', message)]
  return { ok: true, effects, data: tellScheduled(outcome) }
}
