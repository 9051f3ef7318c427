import type { Static } from 'typebox'
import type { Tool } from '../../contracts/tool'
import type { Tasks } from '../../tasks/tasks'
import { offeredToPerson } from './offered-to-person'
import { TaskIdParameters } from './parameters'
import { actorOf, notPrivate, toResult } from './task-results'

/** The seed's complete_task. */
export function createCompleteTask(tasks: Tasks): Tool {
  return {
    name: 'complete_task',
    description: 'Marks a task of the person as completed.',
    parameters: TaskIdParameters,
    effects: () => [{ does: 'complete', to: 'task' }],
    isOffered: offeredToPerson,
    async execute(args, context) {
      if (!offeredToPerson(context.session)) return notPrivate()
      const { taskId } = args as Static<typeof TaskIdParameters>
      return toResult(await tasks.complete(actorOf(context), taskId), 'completed', context)
    },
  }
}
