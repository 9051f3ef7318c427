import { ASKS as SHARED_ASKS } from '../../contracts/asks'
import type { JsonObject, JsonValue, Language } from '../../contracts/words'
import type { CallResult } from '../conversation'
import { isObject, localTime, textField } from '../result-fields'

export const CREATE = 'create_task'
export const QUERY = 'query_tasks'
export const UPDATE = 'update_task'
export const DELETE = 'delete_task'
export const COMPLETE = 'complete_task'
export const REMIND = 'remind_of_task'

const TASK_TOOLS: ReadonlySet<string> = new Set([CREATE, QUERY, UPDATE, DELETE, COMPLETE, REMIND])
export const isTaskTool = (name: string): boolean => TASK_TOOLS.has(name)

/** A task as the tools show it. */
export interface ShownTask {
  taskId: string
  title: string
  dueDate: string
  startTime: string
  endTime: string
  timeSegment: string
  priority: string
  status: string
}

export function readTasks(result: JsonObject, field = 'tasks'): ShownTask[] {
  const rows = result[field]
  return Array.isArray(rows) ? rows.flatMap((row) => (isObject(row) ? [toShown(row)] : [])) : []
}

function toShown(row: JsonObject): ShownTask {
  const text = (name: string) => textField(row, name)
  const [taskId, title, dueDate, priority] = [text('taskId'), text('title'), text('dueDate'), text('priority')]
  const [startTime, endTime, timeSegment] = [text('startTime'), text('endTime'), text('timeSegment')]
  return { taskId, title, dueDate, startTime, endTime, timeSegment, priority, status: text('status') }
}

/** Looking up was a step on the way; what was done to one task after another is said together. */
export function phraseTasks(results: CallResult[], language: Language): string {
  const changes = results.filter(({ name }) => isTaskTool(name) && name !== QUERY)
  const told = changes.length > 0 ? changes : results.slice(-1)
  const done = told.filter(({ result }) => result['success'] === true)
  const failed = told.findLast(({ result }) => result['success'] !== true)
  const lines = done.map(({ name, result }) => phraseTaskSuccess(name, result, language))
  return [...lines, ...(failed ? [phraseTaskRefusal(failed.result, language)] : [])].join('\n')
}

const SEGMENT_WORDS: Record<Language, Record<string, string>> = {
  zh: { all_day: '全天', morning: '上午', afternoon: '下午', evening: '晚上' },
  en: { all_day: 'all day', morning: 'in the morning', afternoon: 'in the afternoon', evening: 'in the evening' },
}

function phraseWhen(task: ShownTask, language: Language): string {
  const part = SEGMENT_WORDS[language][task.timeSegment] ?? `${task.startTime}–${task.endTime}`
  return `${task.dueDate} ${part}`
}

export function phraseLines(tasks: ShownTask[], language: Language): string {
  return tasks.map((task, at) => `${at + 1}. ${phraseLine(task, language)}`).join('\n')
}

export function phraseLine(task: ShownTask, language: Language): string {
  const marks = language === 'zh' ? { high: '高优先级', low: '低优先级' } : { high: 'high', low: 'low' }
  const priority = marks[task.priority as 'high' | 'low']
  const done = task.status === 'completed' ? (language === 'zh' ? '已完成' : 'done') : undefined
  const notes = [priority, done].filter(Boolean)
  if (language === 'zh')
    return `${phraseWhen(task, language)} ${task.title}${notes.length > 0 ? `（${notes.join('，')}）` : ''}`
  return `${phraseWhen(task, language)}: ${task.title}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
}

function phraseTaskList(tasks: ShownTask[], language: Language): string {
  if (tasks.length === 0) return language === 'zh' ? '没有找到任务。' : 'I found no tasks.'
  const head =
    language === 'zh'
      ? `你有 ${tasks.length} 个任务：`
      : `You have ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}:`
  return `${head}\n${phraseLines(tasks, language)}`
}

/** How the success of each task tool sounds. */
function phraseTaskSuccess(name: string, result: JsonObject, language: Language): string {
  if (name === QUERY) return phraseTaskList(readTasks(result), language)
  const task = shownIn(result['task'])
  if (!task) return language === 'zh' ? '好了。' : 'Done.'
  return phraseDeed(name, task, result, language) + phraseReminders(name, result, language)
}

function phraseDeed(name: string, task: ShownTask, result: JsonObject, language: Language): string {
  const when = phraseWhen(task, language)
  const { title } = task
  const note =
    textField(result, 'note') === '' ? '' : language === 'zh' ? '（这个时间已经过去了）' : ' (this time has passed)'
  const words: Record<string, Record<Language, string>> = {
    [CREATE]: {
      zh: `好的，已创建任务“${title}”：${when}${note}。`,
      en: `OK, I created the task "${title}": ${when}${note}.`,
    },
    [UPDATE]: {
      zh: `好的，已更新任务“${title}”：${when}${note}。`,
      en: `OK, I updated the task "${title}": ${when}${note}.`,
    },
    [COMPLETE]: { zh: `好的，任务“${title}”已标记为完成。`, en: `OK, I marked the task "${title}" as completed.` },
    [DELETE]: { zh: `好的，已删除任务“${title}”。`, en: `OK, I deleted the task "${title}".` },
    [REMIND]: phraseRemind(title, when, result),
  }
  return words[name]?.[language] ?? ''
}

function phraseRemind(title: string, when: string, result: JsonObject): Record<Language, string> {
  const reminder = result['reminder']
  const at = isObject(reminder) ? localTime(textField(reminder, 'send_at')) : ''
  return {
    zh: `好的，任务“${title}”（${when}）会在 ${at} 提醒你。`,
    en: `OK, I will remind you of the task "${title}" (${when}) at ${at}.`,
  }
}

/** Reminders that outlive what was done to their task: the person decides. */
function phraseReminders(name: string, result: JsonObject, language: Language): string {
  const rows: JsonValue = result['pendingReminders'] ?? []
  const [first] = Array.isArray(rows) ? rows.filter(isObject) : []
  if (!first) return ''
  const at = localTime(textField(first, 'send_at'))
  const minutes = Number(first['minutesBefore'] ?? 0)
  if (name === UPDATE) {
    return language === 'zh'
      ? `它的提醒还在原来的时间 ${at}（提前${minutes}分钟），要一起改吗？`
      : ` Its reminder stays at ${at} (${minutes} minutes before the old start). Shall I move it too?`
  }
  return language === 'zh'
    ? `它还有一条 ${at} 的提醒，要一起取消吗？`
    : ` It still has a reminder at ${at}. Shall I cancel it too?`
}

const shownIn = (value: JsonValue | undefined) => (isObject(value) ? toShown(value) : undefined)

/** What is asked when something is missing or in the way; the next sentence of the person is read as the answer. */
export const ASKS = {
  end: SHARED_ASKS.end,
  start: SHARED_ASKS.start,
  date: SHARED_ASKS.date,
  another: SHARED_ASKS.another,
  title: { zh: '请问任务是什么？', en: 'What is the task?' },
  which: { zh: '是哪一个任务？', en: 'Which task do you mean?' },
} satisfies Record<string, Record<Language, string>>

const REASONS: Record<string, Record<Language, string>> = {
  time_modes_exclusive: { zh: '具体时间和时间段只能选一个。', en: 'Give either exact times or a part of the day.' },
  not_found: { zh: '没有找到这个任务。', en: 'I found no such task.' },
  already_completed: { zh: '这个任务已经是完成状态，不能再改。', en: 'That task is done and stays as it is.' },
  bad_title: { zh: '任务的标题要有 1 到 200 个字。', en: 'A title has 1 to 200 characters.' },
  too_many_tasks: {
    zh: '未完成的任务太多了，请先完成或删除一些。',
    en: 'There are too many open tasks; complete or delete some.',
  },
  not_private: { zh: '任务只在私聊里可用，群聊里不行。', en: 'Tasks work in private chats only, not in groups.' },
  invalid_time: {
    zh: '提醒没有设好：这个提醒时间已经过去或太远。',
    en: 'No reminder was set: that time has passed or is too far away.',
  },
}

/** Why a task tool refused, and what to say next; what it asks is asked in its own words. */
function phraseTaskRefusal(result: JsonObject, language: Language): string {
  const reason = textField(result, 'reason')
  const question = textField(result, 'question')
  if (question !== '') return question
  if (reason === 'duplicate') {
    const list = phraseLines(readTasks(result), language)
    return language === 'zh'
      ? `已经有一样的任务，没有重复创建：\n${list}`
      : `There is such a task already, so no other was made:\n${list}`
  }
  return (
    REASONS[reason]?.[language] ??
    (language === 'zh' ? `没有办成：${textField(result, 'hint')}` : `That did not work: ${textField(result, 'hint')}`)
  )
}

/** The titles we asked about, when we asked whether they may be deleted. */
export function titlesAskedToDelete(text: string): string[] {
  const asked = /确定要删除(.+)吗？|Really delete (.+)\? Please/.exec(text)
  const list = asked?.[1] ?? asked?.[2] ?? ''
  return [...list.matchAll(/“([^”]+)”|"([^"]+)"/g)].map(([, zh, en]) => zh ?? en ?? '')
}
