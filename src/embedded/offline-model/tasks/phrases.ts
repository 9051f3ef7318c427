import type { JsonObject, JsonValue, Language } from '../../../contracts/words'
import { isObject, textField } from '../fields'
import { localTime } from '../local-time'
import { COMPLETE, CREATE, DELETE, QUERY, REMIND, UPDATE } from './tools'

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

const SEGMENT_WORDS: Record<Language, Record<string, string>> = {
  zh: { all_day: '全天', morning: '上午', afternoon: '下午', evening: '晚上' },
  en: { all_day: 'all day', morning: 'in the morning', afternoon: 'in the afternoon', evening: 'in the evening' },
}

export function phraseWhen(task: ShownTask, language: Language): string {
  const part = SEGMENT_WORDS[language][task.timeSegment] ?? `${task.startTime}–${task.endTime}`
  return `${task.dueDate} ${part}`
}

export function phraseLines(tasks: ShownTask[], language: Language): string {
  return tasks.map((task, at) => `${at + 1}. ${phraseLine(task, language)}`).join('\n')
}

function phraseLine(task: ShownTask, language: Language): string {
  const marks = language === 'zh' ? { high: '高优先级', low: '低优先级' } : { high: 'high', low: 'low' }
  const priority = marks[task.priority as 'high' | 'low']
  const done = task.status === 'completed' ? (language === 'zh' ? '已完成' : 'done') : undefined
  const notes = [priority, done].filter(Boolean)
  if (language === 'zh')
    return `${phraseWhen(task, language)} ${task.title}${notes.length > 0 ? `（${notes.join('，')}）` : ''}`
  return `${phraseWhen(task, language)}: ${task.title}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
}

export function phraseTaskList(tasks: ShownTask[], language: Language): string {
  if (tasks.length === 0) return language === 'zh' ? '没有找到任务。' : 'I found no tasks.'
  const head =
    language === 'zh'
      ? `你有 ${tasks.length} 个任务：`
      : `You have ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}:`
  return `${head}\n${phraseLines(tasks, language)}`
}

/** How the success of each task tool sounds. */
export function phraseTaskSuccess(name: string, result: JsonObject, language: Language): string {
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
