import type { Static } from 'typebox'
import type { Tool } from '../../contracts/tool'
import type { Tasks } from '../../tasks/tasks'
import { offeredToPerson } from './offered-to-person'
import { UpdateTaskParameters } from './parameters'
import { actorOf, notPrivate, toResult } from './task-results'

/** The seed's update_task. */
export function createUpdateTask(tasks: Tasks): Tool {
  return {
    name: 'update_task',
    description:
      'Changes an open task of the person. What is left out stays. A timeSegment ends an exact range and the other way round; a new range needs startTime and endTime.',
    parameters: UpdateTaskParameters,
    effects: () => [{ does: 'change', to: 'task' }],
    isOffered: offeredToPerson,
    async execute(args, context) {
      if (!offeredToPerson(context.session)) return notPrivate()
      const { taskId, ...change } = args as Static<typeof UpdateTaskParameters>
      return toResult(await tasks.update(actorOf(context), taskId, change), 'updated', context)
    },
  }
}
