export const CREATE = 'create_task'
export const QUERY = 'query_tasks'
export const UPDATE = 'update_task'
export const DELETE = 'delete_task'
export const COMPLETE = 'complete_task'
export const REMIND = 'remind_of_task'

const TASK_TOOLS: ReadonlySet<string> = new Set([CREATE, QUERY, UPDATE, DELETE, COMPLETE, REMIND])
export const isTaskTool = (name: string): boolean => TASK_TOOLS.has(name)
