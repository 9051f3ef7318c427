import type { Static } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import type { Tool } from '../../contracts/tool'
import type { Tasks } from '../tasks'
import { OFFERED_TO_PERSON } from './offered-to-person'
import { TaskIdParameters } from './parameters'
import { actorOf, toResult } from './task-results'

export function createDeleteTask(tasks: Tasks): Tool {
  return {
    name: 'delete_task',
    description:
      'Deletes a task of the person, after they have confirmed: the first call only notes the question, and deletes nothing. Call it again once the person has said yes in a later message.',
    parameters: TaskIdParameters,
    subject: ({ taskId }) => subjectOf('task', { id: taskId }),
    ...OFFERED_TO_PERSON,
    async execute(args, context) {
      const { taskId } = args as Static<typeof TaskIdParameters>
      const actor = actorOf(context)
      const outcome = await tasks.delete(actor, taskId, { turn: actor.turn, origin: context.origin })
      return toResult(outcome, 'deleted', context)
    },
  }
}
