import type { Intent } from '../intent'

/** The `tasks` profile speaks of tasks alone, and only Chinese. */
export const tasksOnly: Intent = ({ facts, results }) => {
  if (facts.pipeline !== 'tasks' || results.length > 0) return undefined
  return { text: '抱歉，我在这里只处理任务：创建、查询、修改、删除和完成。（我是离线模型，只懂少量说法。）' }
}
