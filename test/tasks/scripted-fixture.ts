import type { JsonObject } from '../../src/contracts/words'
import { calls, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel, ScriptStep } from '../support/scripted-model'
import { buildTaskFixture } from './task-fixture'
import type { Person, Said, TaskFixture } from './task-fixture'

export const TOMORROW = '2026-02-06'
export const range = { dueDate: TOMORROW, startTime: '16:00', endTime: '17:00' }
export const create = (args: object) => calls('create_task', args)
/** The result of the last call of a turn. */
export const result = (said: Said): JsonObject | undefined => said.tool_calls.at(-1)?.result

export interface ScriptedFixture extends TaskFixture {
  model: ScriptedModel
  /** What the model does when the person says something. */
  play(person: Person, message: string, ...script: ScriptStep[]): Promise<Said>
  /** A person with one task, made by the model. */
  withTask(title?: string, when?: object, pipeline?: 'tasks' | 'assistant'): Promise<{ person: Person; taskId: string }>
}

/** The task house with a model that does what a script says. */
export async function buildScriptedFixture(): Promise<ScriptedFixture> {
  const model = await startScriptedModel()
  const house = await buildTaskFixture({ OPENAI_BASE_URL: model.baseUrl })
  const play = (person: Person, message: string, ...script: ScriptStep[]) => {
    model.setScript(script)
    return person.says(message)
  }
  return {
    ...{ ...house, model, play },
    async withTask(title = '买东西', when = range, pipeline = 'tasks') {
      const person = house.person(pipeline)
      await play(person, '…', create({ title, ...when }), says('好的。'))
      const [task] = await person.tasks()
      return { person, taskId: task!.taskId }
    },
    async close() {
      await house.close()
      await model.close()
    },
  }
}
