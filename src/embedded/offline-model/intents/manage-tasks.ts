import type { JsonObject } from '../../../contracts/words'
import { readAssent } from '../../../tasks/read-assent'
import type { Conversation } from '../conversation'
import type { DraftCall, Intent, Step } from '../intent'
import { call, say } from '../intent'
import { phraseResults } from '../phrase-results'
import { pickTasks } from '../tasks/pick-task'
import { ASKS, titlesAskedToDelete } from '../tasks/phrase-refusal'
import { phraseLines, readTasks } from '../tasks/phrases'
import type { ShownTask } from '../tasks/phrases'
import { readAnsweredWish } from '../tasks/read-answer'
import type { CreateWish } from '../tasks/read-create'
import { readTaskWish } from '../tasks/read-wish'
import type { TargetWish } from '../tasks/read-wish'
import { lastAnswer, saysNo } from '../tasks/task-talk'
import { COMPLETE, CREATE, DELETE, isTaskTool, QUERY, REMIND, UPDATE } from '../tasks/tools'
import { toArguments } from '../tasks/when'

/** Seed 2 in a person's words: create, query, change, complete and delete tasks, in both profiles. */
export const manageTasks: Intent = (conversation, tools) => {
  if (!tools.has(QUERY)) return undefined
  const { results, language } = conversation
  // What was done to tasks is told here: the same sentence may sound like a reminder to those who come after.
  const isTold = isTaskTool(results.at(-1)?.name ?? '')
  return nextStep(conversation, tools) ?? (isTold ? { text: phraseResults(results, language) } : undefined)
}

const nextStep: Intent = (conversation, tools) => {
  const asked = titlesAskedToDelete(lastAnswer(conversation))
  const confirmed = asked.length > 0 ? confirm(asked, conversation) : undefined
  if (confirmed) return confirmed
  if (asked.length > 0 && conversation.results.length > 0) return undefined
  const wish = readAnsweredWish(conversation) ?? readTaskWish(conversation)
  if (!wish) return undefined
  const { results } = conversation
  if (wish.kind === 'query') return results.length === 0 ? call(QUERY, wish.filter) : undefined
  if (wish.kind === 'create') return create(wish, conversation, tools)
  if (results.length === 0) return call(QUERY, { status: 'pending', ...dayOf(wish) })
  const last = results.at(-1)
  return last?.name === QUERY && last.result['success'] === true
    ? act(wish, readTasks(last.result), conversation, tools)
    : undefined
}

function create(wish: CreateWish, conversation: Conversation, tools: ReadonlySet<string>): Step | undefined {
  const { title, when, priority, minutesBefore } = wish
  const last = conversation.results.at(-1)
  if (last?.name === CREATE && last.result['success'] === true && minutesBefore !== undefined && tools.has(REMIND)) {
    const [task] = readTasks({ tasks: [last.result['task'] ?? null] })
    return task && call(REMIND, { taskId: task.taskId, minutesBefore })
  }
  if (last) return undefined
  if (title === undefined) return say(conversation, ASKS.title)
  if (when.dueDate === undefined) return say(conversation, ASKS.date)
  if (when.startTime !== undefined && when.endTime === undefined) return say(conversation, ASKS.end)
  return call(CREATE, { title, ...toArguments(when), ...(priority === undefined ? {} : { priority }) })
}

const dayOf = ({ selector }: TargetWish): JsonObject =>
  selector.when.dueDate === undefined ? {} : { dueDate: selector.when.dueDate }

function act(wish: TargetWish, tasks: ShownTask[], conversation: Conversation, tools: ReadonlySet<string>): Step {
  const meant = pickTasks(tasks, wish.selector, conversation)
  const [task, ...others] = meant
  if (!task)
    return say(conversation, {
      zh: '没有找到这个任务。可以说“查看我的任务”。',
      en: 'I found no such task. Try "show my tasks".',
    })
  const isMany = wish.selector.isAll && (wish.kind === 'delete' || wish.kind === 'complete')
  if (others.length > 0 && !isMany) {
    const list = phraseLines(meant, conversation.language)
    return say(conversation, { zh: `${list}\n${ASKS.which.zh}`, en: `${list}\n${ASKS.which.en}` })
  }
  if (wish.kind === 'remind' && !tools.has(REMIND)) return say(conversation, NO_REMINDERS)
  return { calls: (isMany ? meant.slice(0, 8) : [task]).map((one) => toCall(wish, one)) }
}

const NO_REMINDERS = {
  zh: '抱歉，我在这里只处理任务，不能设置提醒。',
  en: 'Sorry, I only handle tasks here, not reminders.',
}

function toCall(wish: TargetWish, { taskId }: ShownTask): DraftCall {
  if (wish.kind === 'delete') return { name: DELETE, arguments: { taskId } }
  if (wish.kind === 'complete') return { name: COMPLETE, arguments: { taskId } }
  if (wish.kind === 'remind') return { name: REMIND, arguments: { taskId, minutesBefore: wish.minutesBefore ?? 0 } }
  return { name: UPDATE, arguments: { taskId, ...toArguments(wish.when), ...wish.change } }
}

/** After "确定要删除“…”吗？": yes deletes what was asked about, no leaves it, anything else is another wish. */
function confirm(titles: string[], conversation: Conversation): Step | undefined {
  const { text, results } = conversation
  const meant = titles.filter((title) => readAssent(text, title, titles) !== 'no')
  if (meant.length === 0) {
    return saysNo(text) && text.length <= 20 && results.length === 0
      ? say(conversation, { zh: '好的，不删除。', en: 'OK, it stays.' })
      : undefined
  }
  if (results.length === 0) return call(QUERY, {})
  const last = results.at(-1)
  if (last?.name !== QUERY || !isTaskTool(last.name)) return undefined
  const found = readTasks(last.result).filter(({ title }) => meant.includes(title))
  if (found.length === 0) return say(conversation, { zh: '没有找到这个任务。', en: 'I found no such task.' })
  return { calls: found.slice(0, 8).map(({ taskId }) => ({ name: DELETE, arguments: { taskId } })) }
}
