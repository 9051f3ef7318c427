import { Type } from 'typebox'
import type { Tool } from '../../contracts/tool'
import type { TaskDraft, Tasks } from '../../tasks/tasks'
import { offeredToPerson } from './offered-to-person'
import { CreateTaskParameters } from './parameters'
import { actorOf, notPrivate, toResult } from './task-results'

/** The seed's create_task. */
export function createCreateTask(tasks: Tasks): Tool {
  return {
    name: 'create_task',
    description:
      'Creates a task of the person on a day: with an exact range (startTime and endTime) or a timeSegment, never both. With neither, a fitting timeSegment is chosen. Refuses overlaps with other exact ranges.',
    parameters: CreateTaskParameters,
    // A missing day is asked for by the rule, with its own code.
    accepts: Type.Object({ ...Type.Partial(CreateTaskParameters).properties }, { additionalProperties: false }),
    effects: () => [{ does: 'create', to: 'task' }],
    isOffered: offeredToPerson,
    async execute(args, context) {
      if (!offeredToPerson(context.session)) return notPrivate()
      const { title = '', ...rest } = args as Partial<TaskDraft>
      return toResult(await tasks.create(actorOf(context), { title, ...rest }), 'created', context)
    },
  }
}
