import { Type } from 'typebox'
import { subjectOf } from '../../contracts/effect'
import type { Tool } from '../../contracts/tool'
import type { TaskDraft, Tasks } from '../tasks'
import { OFFERED_TO_PERSON } from './offered-to-person'
import { CreateTaskParameters } from './parameters'
import { actorOf, toResult } from './task-results'

export function createCreateTask(tasks: Tasks): Tool {
  return {
    name: 'create_task',
    description:
      'Creates a task of the person on a day: with an exact range (startTime and endTime) or a timeSegment, never both. With neither, a fitting timeSegment is chosen. Refuses overlaps with other exact ranges.',
    parameters: CreateTaskParameters,
    // A missing day is asked for by the rule, with its own code.
    accepts: Type.Object({ ...Type.Partial(CreateTaskParameters).properties }, { additionalProperties: false }),
    subject: ({ title }) => subjectOf('task', { text: title }),
    ...OFFERED_TO_PERSON,
    async execute(args, context) {
      const { title = '', ...rest } = args as Partial<TaskDraft>
      return toResult(await tasks.create(actorOf(context), { title, ...rest }), 'created', context)
    },
  }
}
