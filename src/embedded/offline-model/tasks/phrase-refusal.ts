import type { JsonObject, Language } from '../../../contracts/words'
import { textField } from '../fields'
import { phraseLines, readTasks } from './phrases'

/** What is asked when something is missing or in the way; the next sentence of the person is read as the answer. */
export const ASKS = {
  end: { zh: '请问结束时间是几点？', en: 'When does it end?' },
  start: { zh: '请问开始时间是几点？', en: 'When does it start?' },
  date: { zh: '请问是哪一天？', en: 'On which day?' },
  title: { zh: '请问任务是什么？', en: 'What is the task?' },
  another: { zh: '要换到什么时间？', en: 'Which other time shall I take?' },
  which: { zh: '是哪一个任务？', en: 'Which task do you mean?' },
} satisfies Record<string, Record<Language, string>>

const REASONS: Record<string, Record<Language, string>> = {
  need_date: ASKS.date,
  need_end_time: ASKS.end,
  need_start_time: ASKS.start,
  segment_passed: {
    zh: `今天的这个时间段已经过去了。${ASKS.another.zh}`,
    en: `That part of today has passed. ${ASKS.another.en}`,
  },
  end_before_start: {
    zh: `结束时间要晚于开始时间。${ASKS.another.zh}`,
    en: `The end must be after the start. ${ASKS.another.en}`,
  },
  time_modes_exclusive: { zh: '具体时间和时间段只能选一个。', en: 'Give either exact times or a part of the day.' },
  not_found: { zh: '没有找到这个任务。', en: 'I found no such task.' },
  already_completed: { zh: '这个任务已经是完成状态，不能再改。', en: 'That task is done and stays as it is.' },
  no_exact_start: {
    zh: '这个任务没有具体的开始时间，请告诉我什么时候提醒。',
    en: 'That task has no exact start. Tell me when to remind you.',
  },
  bad_title: { zh: '任务的标题要有 1 到 200 个字。', en: 'A title has 1 to 200 characters.' },
  bad_date: { zh: `没看懂这个日期。${ASKS.date.zh}`, en: `I did not understand that day. ${ASKS.date.en}` },
  bad_time: { zh: `没看懂这个时间。${ASKS.another.zh}`, en: `I did not understand that time. ${ASKS.another.en}` },
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

/** Why a task tool refused, and what to say next. */
export function phraseTaskRefusal(result: JsonObject, language: Language): string {
  const reason = textField(result, 'reason')
  if (reason === 'conflict') return phraseConflict(result, language)
  if (reason === 'duplicate') {
    const list = phraseLines(readTasks(result), language)
    return language === 'zh'
      ? `已经有一样的任务，没有重复创建：\n${list}`
      : `There is such a task already, so no other was made:\n${list}`
  }
  if (reason === 'need_confirmation')
    return phraseConfirm(
      readTasks(result).map(({ title }) => title),
      language,
    )
  return (
    REASONS[reason]?.[language] ??
    (language === 'zh' ? `没有办成：${textField(result, 'hint')}` : `That did not work: ${textField(result, 'hint')}`)
  )
}

function phraseConflict(result: JsonObject, language: Language): string {
  const list = phraseLines(readTasks(result, 'conflicts'), language)
  if (language === 'zh') return `这个时间和下面的任务冲突：\n${list}\n${ASKS.another.zh}`
  return `That time overlaps with:\n${list}\n${ASKS.another.en}`
}

function phraseConfirm(titles: string[], language: Language): string {
  if (language === 'zh') return `确定要删除${titles.map((title) => `“${title}”`).join('、')}吗？请回复“确认删除”。`
  return `Really delete ${titles.map((title) => `"${title}"`).join(', ')}? Please answer "confirm".`
}

/** The titles we asked about, when we asked whether they may be deleted. */
export function titlesAskedToDelete(text: string): string[] {
  const asked = /确定要删除(.+)吗？|Really delete (.+)\? Please/.exec(text)
  const list = asked?.[1] ?? asked?.[2] ?? ''
  return [...list.matchAll(/“([^”]+)”|"([^"]+)"/g)].map(([, zh, en]) => zh ?? en ?? '')
}
