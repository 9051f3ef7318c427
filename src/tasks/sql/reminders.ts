import type { TaskReminder } from '../contract'
import type { Queryable } from '../../engine/database'

/** The reminders of a task that are still to come, soonest first. */
export async function listPendingReminders(db: Queryable, taskId: string): Promise<TaskReminder[]> {
  const { rows } = await db.query<TaskReminder>(
    `SELECT r.scheduled_message_id, m.session_id AS session_key, m.send_at_ts AS send_at, m.message_text, r.minutes_before
     FROM task_reminders r JOIN scheduled_messages m ON m.id = r.scheduled_message_id AND m.status = 'pending'
     WHERE r.task_id = $1 ORDER BY m.send_at_ts, m.id`,
    [taskId],
  )
  return rows
}
