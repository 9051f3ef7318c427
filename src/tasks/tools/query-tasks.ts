import type { Tool } from '../../contracts/tool'
import { showTask } from '../show-task'
import type { Tasks } from '../tasks'
import { OFFERED_TO_PERSON } from './offered-to-person'
import { QueryTasksParameters } from './parameters'
import { actorOf, toRefusal } from './task-results'

const MOST = 50

/** Finds tasks by day, state and words. */
export function createQueryTasks(tasks: Tasks): Tool {
  return {
    name: 'query_tasks',
    description: `Lists tasks of the person by day, with their taskId; every filter may be left out. At most ${MOST} are shown, count says how many there are.`,
    parameters: QueryTasksParameters,
    ...OFFERED_TO_PERSON,
    async execute(args, context) {
      const { owner, zone } = actorOf(context)
      const found = await tasks.query(owner, zone, args, { limit: MOST })
      if (!found.ok) return toRefusal(found, context)
      const data = { count: found.count, tasks: found.tasks.map(showTask) }
      return { ok: true, data, answer: { type: 'task_summary', payload: data } }
    },
  }
}
