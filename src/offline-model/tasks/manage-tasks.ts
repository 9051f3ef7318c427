import type { JsonObject } from '../../contracts/words'
import { call, lastAnswer, say } from '../conversation'
import type { Conversation, DraftCall, Intent, Step } from '../conversation'
import { readAnsweredRequest } from './answered-request'
import { readTaskRequest } from './change-request'
import type { TargetRequest } from './change-request'
import type { CreateRequest } from './create-request'
import { pickTasks, saysNo } from './pick-task'
import {
  ASKS,
  COMPLETE,
  CREATE,
  DELETE,
  isTaskTool,
  phraseLines,
  phraseTasks,
  QUERY,
  readTasks,
  REMIND,
  titlesAskedToDelete,
  UPDATE,
} from './results'
import type { ShownTask } from './results'
import { toArguments } from './when'

/** Creates, finds, changes, completes and deletes tasks, in both profiles. */
export const manageTasks: Intent = (conversation, tools) => {
  if (!tools.has(QUERY)) return undefined
  const { results, language } = conversation
  // What was done to tasks is told here: the same sentence may sound like a reminder to those who come after.
  const isTold = results.length > 0 && results.every(({ name }) => isTaskTool(name))
  return nextStep(conversation, tools) ?? (isTold ? { text: phraseTasks(results, language) } : undefined)
}

const nextStep: Intent = (conversation, tools) => {
  const asked = titlesAskedToDelete(lastAnswer(conversation))
  const confirmed = asked.length > 0 ? confirm(asked, conversation) : undefined
  if (confirmed) return confirmed
  if (asked.length > 0 && conversation.results.length > 0) return undefined
  const request = readAnsweredRequest(conversation) ?? readTaskRequest(conversation)
  if (!request) return undefined
  const { results } = conversation
  if (request.kind === 'query') return results.length === 0 ? call(QUERY, request.filter) : undefined
  if (request.kind === 'create') return create(request, conversation, tools)
  if (results.length === 0) return call(QUERY, { status: 'pending', ...dayOf(request) })
  const last = results.at(-1)
  return last?.name === QUERY && last.result['success'] === true
    ? act(request, readTasks(last.result), conversation, tools)
    : undefined
}

function create(request: CreateRequest, conversation: Conversation, tools: ReadonlySet<string>): Step | undefined {
  const { title, when, priority, minutesBefore, isSeveral = false } = request
  const last = conversation.results.at(-1)
  if (last?.name === CREATE && last.result['success'] === true && minutesBefore !== undefined && tools.has(REMIND)) {
    const [task] = readTasks({ tasks: [last.result['task'] ?? null] })
    return task && call(REMIND, { taskId: task.taskId, minutesBefore })
  }
  if (last) return undefined
  if (isSeveral) return say(conversation, ONE_AT_A_TIME)
  if (title === undefined) return say(conversation, ASKS.title)
  if (when.dueDate === undefined) return say(conversation, ASKS.date)
  if (when.startTime !== undefined && when.endTime === undefined) return say(conversation, ASKS.end)
  return call(CREATE, { title, ...toArguments(when), ...(priority === undefined ? {} : { priority }) })
}

const ONE_AT_A_TIME = {
  zh: '一个任务只能有一个时间，所以什么都没有创建。请一个一个说。',
  en: 'A task has one time, so nothing was created. Please say them one by one.',
}

const dayOf = ({ selector }: TargetRequest): JsonObject =>
  selector.when.dueDate === undefined ? {} : { dueDate: selector.when.dueDate }

function act(request: TargetRequest, tasks: ShownTask[], conversation: Conversation, tools: ReadonlySet<string>): Step {
  const meant = pickTasks(tasks, request.selector, conversation)
  const [task, ...others] = meant
  if (!task)
    return say(conversation, {
      zh: '没有找到这个任务。可以说“查看我的任务”。',
      en: 'I found no such task. Try "show my tasks".',
    })
  const isMany = request.selector.isAll && (request.kind === 'delete' || request.kind === 'complete')
  if (others.length > 0 && !isMany) {
    const list = phraseLines(meant, conversation.language)
    return say(conversation, { zh: `${list}\n${ASKS.which.zh}`, en: `${list}\n${ASKS.which.en}` })
  }
  if (request.kind === 'remind' && !tools.has(REMIND)) return say(conversation, NO_REMINDERS)
  return { calls: (isMany ? meant.slice(0, 8) : [task]).map((one) => toCall(request, one)) }
}

const NO_REMINDERS = {
  zh: '抱歉，我在这里只处理任务，不能设置提醒。',
  en: 'Sorry, I only handle tasks here, not reminders.',
}

function toCall(request: TargetRequest, { taskId }: ShownTask): DraftCall {
  if (request.kind === 'delete') return { name: DELETE, arguments: { taskId } }
  if (request.kind === 'complete') return { name: COMPLETE, arguments: { taskId } }
  if (request.kind === 'remind')
    return { name: REMIND, arguments: { taskId, minutesBefore: request.minutesBefore ?? 0 } }
  return { name: UPDATE, arguments: { taskId, ...toArguments(request.when), ...request.change } }
}

/** After "确定要删除“…”吗？": yes deletes what was asked about, no leaves it, anything else is another request. */
function confirm(titles: string[], conversation: Conversation): Step | undefined {
  const { text, results } = conversation
  const meant = titles.filter((title) => confirmsDeletion(text, title, titles))
  if (meant.length === 0) {
    return saysNo(text) && text.length <= 20 && results.length === 0
      ? say(conversation, { zh: '好的，不删除。', en: 'OK, it stays.' })
      : undefined
  }
  if (results.length === 0) return call(QUERY, {})
  const last = results.at(-1)
  if (last?.name !== QUERY) return undefined
  const found = readTasks(last.result).filter(({ title }) => meant.includes(title))
  if (found.length === 0) return say(conversation, { zh: '没有找到这个任务。', en: 'I found no such task.' })
  return { calls: found.slice(0, 8).map(({ taskId }) => ({ name: DELETE, arguments: { taskId } })) }
}

const ASSENT =
  /没错|是的?|[对對]的?|好的?|嗯|[确確][认認定]|可以|行|同意|要|[请請]|麻烦|帮我|就|把|[删刪]除?掉?|移除|去掉|[这那]些|[这那]个|它们?|所有|全部|都|任务|吧|了|👍|👌|✅|\b(?:yes|yeah|yep|ok|okay|sure|confirm(?:ed)?|please|do|go ahead|delete|remove|it|them|both|the|all|tasks?)\b|[\s,，。.!！~、“”"]/giu

/** Words of assent, the titles themselves and nothing else; the tool judges by itself, this only decides whether to call it. */
function confirmsDeletion(text: string, title: string, asked: string[]): boolean {
  const named = asked.filter((each) => text.includes(each))
  if (named.length > 0 && !named.includes(title)) return false
  const bare = named.reduce((rest, each) => rest.replaceAll(each, ' '), text)
  return /[^\s,，。.!！~]/.test(bare) && bare.replaceAll(ASSENT, '') === ''
}

/** The `tasks` profile speaks of tasks alone, and only Chinese. */
export const tasksOnly: Intent = (conversation, tools) => {
  if (conversation.facts.pipeline !== 'tasks') return undefined
  const step = manageTasks(conversation, tools)
  if (step || conversation.results.length > 0) return step
  return {
    text: '抱歉，我在这里只处理任务：创建、查询、修改、删除和完成。可以说“明天下午4点到5点去买东西”。（我是离线模型，只懂少量说法。）',
  }
}
