import type { Tool } from '../../contracts/tool'
import type { ScheduledMessages } from '../../reminders/scheduled-messages'
import type { Tasks } from '../tasks'
import { createCompleteTask } from './complete-task'
import { createCreateTask } from './create-task'
import { createDeleteTask } from './delete-task'
import { createQueryTasks } from './query-tasks'
import { createRemindOfTask } from './remind-of-task'
import { createUpdateTask } from './update-task'

/** The five of the task agent, in their order, and the one that joins tasks with reminders. */
export function createTaskTools(tasks: Tasks, scheduledMessages: ScheduledMessages): Tool[] {
  return [
    createCreateTask(tasks),
    createQueryTasks(tasks),
    createUpdateTask(tasks),
    createDeleteTask(tasks),
    createCompleteTask(tasks),
    createRemindOfTask(tasks, scheduledMessages),
  ]
}
