import type { Static } from 'typebox'
import type { Tool, ToolResult } from '../../contracts/tool'
import type { Language } from '../../contracts/words'
import type { TaskRefusal } from '../../tasks/refusals'
import type { Tasks } from '../../tasks/tasks'
import { offeredToPerson } from './offered-to-person'
import { TaskIdParameters } from './parameters'
import { actorOf, notPrivate, titlesOf, toRefusal, toResult } from './task-results'

/** The seed's delete_task. */
export function createDeleteTask(tasks: Tasks): Tool {
  return {
    name: 'delete_task',
    description:
      'Deletes a task of the person, after they have confirmed: the first call only notes the question, and deletes nothing. Call it again once the person has said yes in a later message.',
    parameters: TaskIdParameters,
    effects: () => [{ does: 'delete', to: 'task' }],
    isOffered: offeredToPerson,
    async execute(args, context) {
      if (!offeredToPerson(context.session)) return notPrivate()
      const { taskId } = args as Static<typeof TaskIdParameters>
      const actor = actorOf(context)
      const outcome = await tasks.delete(actor, taskId, { turn: actor.turn, origin: context.origin })
      if (!outcome.ok && outcome.code === 'need_confirmation') return ask(outcome, context.language)
      return toResult(outcome, 'deleted', context)
    },
  }
}

/** The person must have read the question: what they say next may count as the answer. */
function ask(refusal: TaskRefusal, language: Language): ToolResult {
  const titles = titlesOf(refusal.tasks)
  const names = titles.map((title) => (language === 'zh' ? `“${title}”` : `"${title}"`))
  const text =
    language === 'zh'
      ? `确定要删除${names.join('、')}吗？请回复“确认删除”。`
      : `Really delete ${names.join(', ')}? Please answer "confirm".`
  const result = toRefusal(refusal)
  return result.answer ? { ...result, answer: { ...result.answer, mustAsk: { text, about: titles } } } : result
}
