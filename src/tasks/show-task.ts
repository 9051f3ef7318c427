import type { Task } from '../contracts/task'
import type { JsonObject } from '../contracts/words'

/** A task as tools, chat payloads and the API show it: the seed's own field names. */
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
