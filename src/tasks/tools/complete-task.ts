import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import type { Tool } from '../../contracts/tool'
import type { Tasks } from '../tasks'
import { OFFERED_TO_PERSON } from './offered-to-person'
import { TaskIdParameters } from './parameters'
import { actorOf, toResult } from './task-results'

export function createCompleteTask(tasks: Tasks): Tool {
  return {
    name: 'complete_task',
    description: 'Marks a task of the person as completed.',
    parameters: TaskIdParameters,
    subject: ({ taskId }) => subjectOf('task', { id: taskId }),
    ...OFFERED_TO_PERSON,
    async execute(args, context) {
      const { taskId } = args as Static<typeof TaskIdParameters>
      return toResult(await tasks.complete(actorOf(context), taskId), 'completed', context)
    },
  }
}
