import type { Task, TaskReminder } from '../../contracts/task'
import type { ToolContext, ToolResult } from '../../contracts/tool'
import type { JsonObject } from '../../contracts/words'
import type { TaskRefusal } from '../../tasks/refusals'
import { showTask } from '../../tasks/show-task'
import type { TaskActor, TaskOutcome } from '../../tasks/tasks'
import { describeTime } from '../../time/describe-time'

export type TaskAction = 'created' | 'updated' | 'completed' | 'deleted'

/** Whose tasks a turn may touch follows from its session, never from what the model wrote. */
export function actorOf({ session, turnId, fence }: ToolContext): TaskActor & { turn: { sessionKey: string } } {
  const { botUuid, launcherType, launcherId, sessionKey, timezone } = session
  return { owner: { botUuid, launcherType, launcherId }, zone: timezone, turn: { sessionKey, turnId, fence } }
}

/** What was done, with what the person should hear of it; the answer of the turn shows the task. */
export function toResult(outcome: TaskOutcome, action: TaskAction, context: ToolContext): ToolResult {
  if (!outcome.ok) return toRefusal(outcome)
  const { task, before, note, reminders } = outcome
  const shown = showTask(task)
  return {
    ok: true,
    data: {
      action,
      task: shown,
      ...(before ? { before: showTask(before) } : {}),
      ...(note === undefined ? {} : { note }),
      ...tellReminders(reminders, action, context),
    },
    answer: { type: 'task_summary', payload: { action, task: shown } },
  }
}

/** Something is missing or in the way: the person is asked, and sees what it is about. */
export function toRefusal({ code, hint, tasks }: TaskRefusal): ToolResult {
  const shown = tasks.map(showTask)
  const data: JsonObject = shown.length === 0 ? {} : code === 'conflict' ? { conflicts: shown } : { tasks: shown }
  return { ok: false, reason: code, hint, data, answer: { type: 'question', payload: { code, ...data } } }
}

export function notPrivate(): ToolResult {
  return { ok: false, reason: 'not_private', hint: 'Tasks belong to a person: they work in private chats only.' }
}

const OFFERS: Record<TaskAction, string> = {
  created: '',
  updated:
    'The reminders stay at their old time. Say so, and offer to move them (remind_of_task with replaceExisting).',
  completed: 'Reminders are still pending. Offer to cancel them (cancel_scheduled_private_message).',
  deleted: 'Reminders are still pending. Offer to cancel them (cancel_scheduled_private_message).',
}

function tellReminders(reminders: TaskReminder[], action: TaskAction, context: ToolContext): JsonObject {
  if (reminders.length === 0) return {}
  return { pendingReminders: reminders.map((reminder) => showReminder(reminder, context)), offer: OFFERS[action] }
}

/** Named as the tools for scheduled messages name it, so that the model can cancel it. */
export function showReminder(reminder: TaskReminder, { now, session, language }: ToolContext): JsonObject {
  const { local, phrase } = describeTime(reminder.sendAt, now, session.timezone, language)
  const { scheduledMessageId, messageText, minutesBefore } = reminder
  return { task_id: scheduledMessageId, send_at: local, phrase, message_text: messageText, minutesBefore }
}

export const titlesOf = (tasks: Task[]) => tasks.map(({ title }) => title)
