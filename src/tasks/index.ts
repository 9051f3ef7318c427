/** The task agent. What is here is for the other rooms; the rest is the inside. */
export { createTaskStore } from './sql'
export { createTasks } from './tasks'
export { createTaskTools } from './tools'
