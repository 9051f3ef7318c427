import type { Task } from './contract'
import type { JsonObject } from '../contracts/words'

/** A task as tools, chat payloads and the API show it: the field names of docs/tasks.md. */
export function showTask(task: Task) {
  return {
    taskId: task.taskId,
    title: task.title,
    description: task.description,
    dueDate: task.dueDate,
    startTime: task.startTime,
    endTime: task.endTime,
    timeSegment: task.timeSegment,
    priority: task.priority,
    groupId: task.groupId,
    status: task.status,
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
    completedAt: task.completedAt?.toISOString() ?? null,
  } satisfies JsonObject
}
