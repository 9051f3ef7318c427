import { say } from '../contracts/language'
import { ASKS } from '../contracts/asks'
import type { Language } from '../contracts/words'
import type { Task, TaskRefusalCode } from './contract'

type Question = (tasks: Task[]) => string
type Questions = Partial<Record<TaskRefusalCode, Question>>

const quoted = (tasks: Task[], [open, close]: [string, string], between: string) =>
  tasks.map(({ title }) => `${open}${title}${close}`).join(between)

const SEGMENTS: Record<Language, Record<string, string>> = {
  zh: { all_day: '全天', morning: '上午', afternoon: '下午', evening: '晚上' },
  en: { all_day: 'all day', morning: 'in the morning', afternoon: 'in the afternoon', evening: 'in the evening' },
}
const lines = (tasks: Task[], language: Language) =>
  tasks
    .map((task, at) => {
      const { dueDate, startTime, endTime, timeSegment, title } = task
      const part = timeSegment === null ? `${startTime}–${endTime}` : SEGMENTS[language][timeSegment]
      return `${at + 1}. ${dueDate} ${part}${say(language, { zh: ' ', en: ': ' })}${title}`
    })
    .join('\n')

const QUESTIONS: Record<Language, Questions> = {
  zh: {
    need_date: () => ASKS.date.zh,
    need_end_time: () => ASKS.end.zh,
    need_start_time: () => ASKS.start.zh,
    segment_passed: () => `今天的这个时间段已经过去了。${ASKS.another.zh}`,
    end_before_start: () => `结束时间要晚于开始时间。${ASKS.another.zh}`,
    conflict: (tasks) => `这个时间和下面的任务冲突：\n${lines(tasks, 'zh')}\n${ASKS.another.zh}`,
    need_confirmation: (tasks) => `确定要删除${quoted(tasks, ['“', '”'], '、')}吗？请回复“确认删除”。`,
    no_exact_start: () => '这个任务没有具体的开始时间，请告诉我什么时候提醒。',
    bad_date: () => `没看懂这个日期。${ASKS.date.zh}`,
    bad_time: () => `没看懂这个时间。${ASKS.another.zh}`,
  },
  en: {
    need_date: () => ASKS.date.en,
    need_end_time: () => ASKS.end.en,
    need_start_time: () => ASKS.start.en,
    segment_passed: () => `That part of today has passed. ${ASKS.another.en}`,
    end_before_start: () => `The end must be after the start. ${ASKS.another.en}`,
    conflict: (tasks) => `That time overlaps with:\n${lines(tasks, 'en')}\n${ASKS.another.en}`,
    need_confirmation: (tasks) => `Really delete ${quoted(tasks, ['"', '"'], ', ')}? Please answer "confirm".`,
    no_exact_start: () => 'That task has no exact start. Tell me when to remind you.',
    bad_date: () => `I did not understand that day. ${ASKS.date.en}`,
    bad_time: () => `I did not understand that time. ${ASKS.another.en}`,
  },
}

/** What the person is asked when a task was refused; undefined where they need not be. */
export function askAboutTasks(code: TaskRefusalCode, tasks: Task[], language: Language): string | undefined {
  return QUESTIONS[language][code]?.(tasks)
}
