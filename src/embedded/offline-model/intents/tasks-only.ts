import type { Intent } from '../intent'
import { manageTasks } from './manage-tasks'

/** The `tasks` profile speaks of tasks alone, and only Chinese. */
export const tasksOnly: Intent = (conversation, tools) => {
  if (conversation.facts.pipeline !== 'tasks') return undefined
  const step = manageTasks(conversation, tools)
  if (step || conversation.results.length > 0) return step
  return {
    text: '抱歉，我在这里只处理任务：创建、查询、修改、删除和完成。可以说“明天下午4点到5点去买东西”。（我是离线模型，只懂少量说法。）',
  }
}
