import { say } from '../../contracts/language'
import { refuse } from '../../contracts/refusal'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { subjectOf } from '../../contracts/effect'
import { LONGEST_REMINDER_MINUTES } from '../contract'
import type { Task, TaskReminder } from '../contract'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool'
import type { ScheduledMessages, ScheduleOutcome } from '../../reminders/scheduled-messages'
import { showTask } from '../show-task'
import type { Tasks } from '../tasks'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'
import { replacedEffects, scheduledEffect } from '../../reminders'
import { actorOf, toRefusal } from './task-results'

const Parameters = Type.Object(
  {
    taskId: Type.String({ description: 'The taskId of an open task with startTime.' }),
    minutesBefore: Type.Integer({
      minimum: 0,
      maximum: LONGEST_REMINDER_MINUTES,
      description: 'How long before its start; 0 is at the start.',
    }),
    messageText: Type.Optional(Type.String({ description: 'The text that is sent; by default the title and start.' })),
    replaceExisting: Type.Optional(
      Type.Boolean({ default: false, description: 'Cancel the reminders this task has already, as after a move.' }),
    ),
  },
  { additionalProperties: false },
)

/** Tasks and reminders meet: a scheduled message for a task, counted from its start by the server. */
export function createRemindOfTask(tasks: Tasks, scheduled: ScheduledMessages): Tool {
  return {
    name: 'remind_of_task',
    description:
      'Schedules a private message that reminds of a task some minutes before its start ("提前10分钟提醒我"). Only for tasks with an exact startTime.',
    parameters: Parameters,
    subject: ({ taskId }) => subjectOf('scheduled_message', { text: taskId }),
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const { taskId, minutesBefore, messageText, replaceExisting = false } = args as Static<typeof Parameters>
      const id = uuidv7()
      const prepared = await tasks.prepareReminder(actorOf(context), { taskId, minutesBefore, scheduledMessageId: id })
      if (!prepared.ok) return toRefusal(prepared, context)
      const { task, sendAt, earlier } = prepared
      const outcome = await scheduled.schedule(context.session, {
        ...{
          id,
          sendAt: sendAt.toISOString(),
          messageText: messageText ?? textFor(task, context),
          replaceExisting: false,
        },
        language: context.language,
        toolCallId: context.toolCallId,
        turn: context,
      })
      if (!outcome.ok) return refuse(outcome.code, outcome.hint, { task: showTask(task) })
      const cancelled = replaceExisting ? await cancelAll(scheduled, earlier, context) : []
      return toResult(outcome, task, cancelled)
    },
  }
}

const textFor = ({ title, startTime }: Task, { language }: ToolContext) =>
  say(language, { zh: `提醒：${title}（${startTime} 开始）`, en: `Reminder: ${title} (starts at ${startTime})` })

/** Only after the new one stands, and only those that had not been sent meanwhile. */
async function cancelAll(scheduled: ScheduledMessages, earlier: TaskReminder[], context: ToolContext) {
  const cancelled: string[] = []
  for (const { scheduledMessageId: id, sessionKey } of earlier) {
    const turn = sessionKey === context.session.sessionKey ? context : undefined
    const won = await scheduled.cancel(sessionKey, { id, reason: 'replaced', toolCallId: context.toolCallId, turn })
    cancelled.push(...won.map((message) => message.id))
  }
  return cancelled
}

function toResult(outcome: Extract<ScheduleOutcome, { ok: true }>, task: Task, cancelled: string[]): ToolResult {
  const { message, local, phrase } = outcome
  const reminder = { task_id: message.id, send_at: local, phrase, message_text: message.messageText }
  const shown = showTask(task)
  return {
    ok: true,
    effects: [...replacedEffects(cancelled), scheduledEffect('created', message)],
    data: { action: 'reminded', task: shown, reminder, timezone: message.timezone, cancelled_task_ids: cancelled },
    answer: { type: 'task_summary', payload: { action: 'reminded', task: shown, reminder } },
  }
}
