import type { Tool } from '../../contracts/tool'
import { showTask } from '../../tasks/show-task'
import type { Tasks } from '../../tasks/tasks'
import { offeredToPerson } from './offered-to-person'
import { QueryTasksParameters } from './parameters'
import { actorOf, notPrivate, toRefusal } from './task-results'

const MOST = 50

/** The seed's query_tasks. */
export function createQueryTasks(tasks: Tasks): Tool {
  return {
    name: 'query_tasks',
    description: `Lists tasks of the person by day, with their taskId; every filter may be left out. At most ${MOST} are shown, count says how many there are.`,
    parameters: QueryTasksParameters,
    effects: () => [],
    isOffered: offeredToPerson,
    async execute(args, context) {
      if (!offeredToPerson(context.session)) return notPrivate()
      const { owner, zone } = actorOf(context)
      const found = await tasks.query(owner, zone, args, { limit: MOST })
      if (!found.ok) return toRefusal(found)
      const data = { count: found.count, tasks: found.tasks.map(showTask) }
      return { ok: true, data, answer: { type: 'task_summary', payload: data } }
    },
  }
}
