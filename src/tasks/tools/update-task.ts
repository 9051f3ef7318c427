import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import type { Tool } from '../../contracts/tool'
import type { Tasks } from '../tasks'
import { OFFERED_TO_PERSON } from './offered-to-person'
import { UpdateTaskParameters } from './parameters'
import { actorOf, toResult } from './task-results'

export function createUpdateTask(tasks: Tasks): Tool {
  return {
    name: 'update_task',
    description:
      'Changes an open task of the person. What is left out stays. A timeSegment ends an exact range and the other way round; a new range needs startTime and endTime.',
    parameters: UpdateTaskParameters,
    subject: ({ taskId }) => subjectOf('task', { id: taskId }),
    ...OFFERED_TO_PERSON,
    async execute(args, context) {
      const { taskId, ...change } = args as Static<typeof UpdateTaskParameters>
      return toResult(await tasks.update(actorOf(context), taskId, change), 'updated', context)
    },
  }
}
