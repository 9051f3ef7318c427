import { DateTime } from 'luxon'
import type { Task, TaskReminder } from './contract'
import { refuse } from './refusals'
import type { TaskRefusal } from './refusals'
import type { TaskLedger } from './task-ledger'

export interface ReminderWish {
  taskId: string
  minutesBefore: number
  scheduledMessageId: string
}

export type PreparedReminder = { ok: true; task: Task; sendAt: Date; earlier: TaskReminder[] } | TaskRefusal

/**
 * Computes when to remind of a task and notes which message will do it. The note comes first: one without its message
 * means nothing, a message without its note would be forgotten when the task moves.
 */
export async function prepareReminder(ledger: TaskLedger, zone: string, wish: ReminderWish): Promise<PreparedReminder> {
  const task = await ledger.find(wish.taskId)
  if (!task) return refuse('not_found')
  if (task.startTime === null || task.status !== 'pending') return refuse('no_exact_start', [task])
  const start = DateTime.fromISO(`${task.dueDate}T${task.startTime}`, { zone })
  const earlier = await ledger.listPendingReminders(task.taskId)
  await ledger.linkReminder(wish)
  return { ok: true, task, sendAt: start.minus({ minutes: wish.minutesBefore }).toJSDate(), earlier }
}
