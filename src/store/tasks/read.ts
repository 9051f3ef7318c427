import type { Pool } from 'pg'
import type { Task, TaskFilter, TaskOwner } from '../../contracts/task'
import { listPendingReminders } from './reminders'
import { TASK_COLUMNS, toOwner, toTask } from './rows'
import type { TaskRow } from './rows'

export async function findTask(pool: Pool, taskId: string) {
  const { rows } = await pool.query<TaskRow>(`SELECT ${TASK_COLUMNS} FROM tasks WHERE id = $1`, [taskId])
  const row = rows[0]
  if (!row) return undefined
  const reminders = await listPendingReminders(pool, taskId)
  return { task: toTask(row), owner: toOwner(row), timezone: row.timezone, reminders }
}

/** By day and, within it, by where in the day it begins. */
export async function listTasks(
  pool: Pool,
  { botUuid, launcherType, launcherId }: TaskOwner,
  filter: TaskFilter,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<{ tasks: Task[]; count: number }> {
  const { rows } = await pool.query<TaskRow & { total: number }>(
    `SELECT ${TASK_COLUMNS}, count(*) OVER () AS total FROM tasks
     WHERE bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3
       AND ($4::text IS NULL OR status = $4) AND ($5::date IS NULL OR due_date = $5)
       AND ($6::date IS NULL OR due_date >= $6) AND ($7::date IS NULL OR due_date <= $7)
       AND ($8::text IS NULL OR priority = $8)
     ORDER BY due_date, coalesce(start_time, CASE time_segment WHEN 'morning' THEN '06:00' WHEN 'afternoon' THEN '12:00'
       WHEN 'evening' THEN '18:00' ELSE '' END) COLLATE "C", id
     LIMIT $9 OFFSET $10`,
    [
      ...[botUuid, launcherType, launcherId, filter.status ?? null, filter.dueDate ?? null],
      ...[filter.dueDateFrom ?? null, filter.dueDateTo ?? null, filter.priority ?? null, limit, offset],
    ],
  )
  return { tasks: rows.map(toTask), count: rows[0]?.total ?? 0 }
}
