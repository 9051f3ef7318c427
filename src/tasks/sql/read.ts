import type { Pool } from 'pg'
import type { Task, TaskFilter, TaskOwner } from '../contract'
import { listPendingReminders } from './reminders'

/** The columns of a `Task`. A day is no instant: it is read as text. */
export const TASK = `tasks.id AS task_id, title, description, to_char(tasks.due_date, 'YYYY-MM-DD') AS due_date,
  start_time, end_time, time_segment, priority, group_id, status, created_at, updated_at, completed_at`

export async function findTask(pool: Pool, taskId: string) {
  const { rows } = await pool.query<Task & TaskOwner & { timezone: string }>(
    `SELECT ${TASK}, bot_uuid, launcher_type, launcher_id, timezone FROM tasks WHERE id = $1`,
    [taskId],
  )
  if (!rows[0]) return undefined
  const { botUuid, launcherType, launcherId, timezone, ...task } = rows[0]
  const reminders = await listPendingReminders(pool, taskId)
  return { task, owner: { botUuid, launcherType, launcherId }, timezone, reminders }
}

/** By day and, within it, by where in the day it begins. */
export async function listTasks(
  pool: Pool,
  { botUuid, launcherType, launcherId }: TaskOwner,
  filter: TaskFilter,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<{ tasks: Task[]; count: number }> {
  const { rows } = await pool.query<Task & { total: number }>(
    `SELECT ${TASK}, count(*) OVER () AS total FROM tasks
     WHERE bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3
       AND ($4::text IS NULL OR status = $4) AND ($5::date IS NULL OR due_date = $5)
       AND ($6::date IS NULL OR due_date >= $6) AND ($7::date IS NULL OR due_date <= $7)
       AND ($8::text IS NULL OR priority = $8)
     ORDER BY tasks.due_date, coalesce(start_time, CASE time_segment WHEN 'morning' THEN '06:00' WHEN 'afternoon' THEN '12:00'
       WHEN 'evening' THEN '18:00' ELSE '' END) COLLATE "C", id
     LIMIT $9 OFFSET $10`,
    [
      botUuid,
      launcherType,
      launcherId,
      filter.status ?? null,
      filter.dueDate ?? null,
      filter.dueDateFrom ?? null,
      filter.dueDateTo ?? null,
      filter.priority ?? null,
      limit,
      offset,
    ],
  )
  return { tasks: rows.map(({ total: _total, ...task }) => task), count: rows[0]?.total ?? 0 }
}
