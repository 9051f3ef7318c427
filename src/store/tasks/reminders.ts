import type { TaskReminder } from '../../contracts/task'
import type { Queryable } from '../database'

/** The reminders of a task that are still to come, soonest first. */
export async function listPendingReminders(db: Queryable, taskId: string): Promise<TaskReminder[]> {
  const { rows } = await db.query<{ id: string; session: string; at: Date; text: string; before: number }>(
    `SELECT m.id, m.session_id AS session, m.send_at_ts AS at, m.message_text AS text, r.minutes_before AS before
     FROM task_reminders r JOIN scheduled_messages m ON m.id = r.scheduled_message_id AND m.status = 'pending'
     WHERE r.task_id = $1 ORDER BY m.send_at_ts, m.id`,
    [taskId],
  )
  return rows.map(({ id, session, at, text, before }) => ({
    ...{ scheduledMessageId: id, sessionKey: session, sendAt: at, messageText: text, minutesBefore: before },
  }))
}
