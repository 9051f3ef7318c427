import type { Tool } from '../../contracts/tool'
import type { Tasks } from '../../tasks/tasks'
import { createCompleteTask } from './complete-task'
import { createCreateTask } from './create-task'
import { createDeleteTask } from './delete-task'
import { createQueryTasks } from './query-tasks'
import { createUpdateTask } from './update-task'

/** Seed 2's five, in its order. */
export function createTaskTools(tasks: Tasks): Tool[] {
  return [
    createCreateTask(tasks),
    createQueryTasks(tasks),
    createUpdateTask(tasks),
    createDeleteTask(tasks),
    createCompleteTask(tasks),
  ]
}
