import type { Task, TaskOwner, TaskPriority, TaskStatus, TimeSegment } from '../../contracts/task'
import type { LauncherType } from '../../contracts/words'

export interface TaskRow {
  id: string
  bot_uuid: string
  launcher_type: LauncherType
  launcher_id: string
  title: string
  description: string | null
  due_day: string
  start_time: string | null
  end_time: string | null
  time_segment: TimeSegment | null
  priority: TaskPriority
  group_id: string | null
  status: TaskStatus
  timezone: string
  created_at: Date
  updated_at: Date
  completed_at: Date | null
}

/** A day is no instant: it is read as text. */
export const TASK_COLUMNS = `tasks.*, to_char(tasks.due_date, 'YYYY-MM-DD') AS due_day`

export function toTask(row: TaskRow): Task {
  return {
    taskId: row.id,
    title: row.title,
    description: row.description,
    dueDate: row.due_day,
    startTime: row.start_time,
    endTime: row.end_time,
    timeSegment: row.time_segment,
    priority: row.priority,
    groupId: row.group_id,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  }
}

export const toOwner = (row: TaskRow): TaskOwner => ({
  botUuid: row.bot_uuid,
  launcherType: row.launcher_type,
  launcherId: row.launcher_id,
})
