import { DateTime } from 'luxon'
import type { EffectVerb, Effect } from '../../contracts/effect'
import { summaryOf } from '../../contracts/effect'
import { askAboutTasks } from '../questions'
import type { Task, TaskReminder } from '../contract'
import type { ToolContext, ToolResult } from '../../contracts/tool'
import type { JsonObject } from '../../contracts/words'
import type { TaskRefusal } from '../refusals'
import { showTask } from '../show-task'
import type { TaskActor, TaskOutcome } from '../tasks'
import { describeTime } from '../../time'

export type TaskAction = 'created' | 'updated' | 'completed' | 'deleted'

/** Whose tasks a turn may touch follows from its session, never from what the model wrote. */
export function actorOf({ session, turnId, fence }: ToolContext): TaskActor & { turn: { sessionKey: string } } {
  const { botUuid, launcherType, launcherId, sessionKey, timezone } = session
  return { owner: { botUuid, launcherType, launcherId }, zone: timezone, turn: { sessionKey, turnId, fence } }
}

/** What was done, with what the person should hear of it; the answer of the turn shows the task. */
export function toResult(outcome: TaskOutcome, action: TaskAction, context: ToolContext): ToolResult {
  if (!outcome.ok) return toRefusal(outcome, context)
  const { task, before, note, reminders } = outcome
  const shown = showTask(task)
  return {
    ok: true,
    effects: [effectOn(task, action, context)],
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
export function toRefusal({ code, hint, tasks }: TaskRefusal, { language }: ToolContext): ToolResult {
  const shown = tasks.map(showTask)
  const data: JsonObject = shown.length === 0 ? {} : code === 'conflict' ? { conflicts: shown } : { tasks: shown }
  const text = askAboutTasks(code, tasks, language)
  // All that may be deleted stands in one question, the newest.
  const name = code === 'need_confirmation' ? { name: code } : {}
  const answer = { type: 'question' as const, payload: { code, ...data } }
  return { ok: false, code, hint, data, answer, ...(text === undefined ? {} : { question: { text, ...name } }) }
}

const EFFECT_VERBS: Record<TaskAction, EffectVerb> = {
  created: 'created',
  updated: 'changed',
  completed: 'changed',
  deleted: 'cancelled',
}

function effectOn(task: Task, action: TaskAction, { session }: ToolContext): Effect {
  const { taskId: id, title, dueDate, startTime } = task
  const start = startTime === null ? null : DateTime.fromISO(`${dueDate}T${startTime}`, { zone: session.timezone })
  return {
    did: EFFECT_VERBS[action],
    kind: 'task',
    id,
    summary: summaryOf(title),
    ...(start?.isValid ? { due_at: start.toJSDate().toISOString() } : {}),
    ...(action === 'completed' ? { reason: action } : {}),
  }
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
