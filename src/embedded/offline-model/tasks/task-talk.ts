import type { Conversation } from '../conversation'

export const TASK_NOUN = /(?<!自动|自动化|定时)任务|待办|日程|(?<!scheduled )\btasks?\b|\bto-?dos?\b/i
export const REMINDER_NOUN = /提醒|闹钟|闹铃|定时|\b(?:reminders?|alarms?|remind)\b/i

/** In the profile for tasks every sentence is about them; elsewhere it must be said, or have been talked about just now. */
export function isAboutTasks(conversation: Conversation): boolean {
  const { text, facts } = conversation
  if (facts.pipeline === 'tasks') return true
  if (TASK_NOUN.test(text)) return true
  return !REMINDER_NOUN.test(text) && TASK_NOUN.test(lastAnswer(conversation))
}

export function lastAnswer({ earlier }: Pick<Conversation, 'earlier'>): string {
  return earlier.findLast(({ role }) => role === 'assistant')?.text ?? ''
}

/** The titles in quotes in what we said last. */
export function quotedTitles(text: string): string[] {
  return [...text.matchAll(/任务“([^”]+)”|task "([^"]+)"/g)].map(([, zh, en]) => zh ?? en ?? '')
}

export const saysNo = (text: string): boolean => /不|别|算了|\b(?:no|not|don'?t|keep)\b/i.test(text)
export const saysYes = (text: string): boolean =>
  !saysNo(text) &&
  text.length <= 30 &&
  /^\s*(?:好|要|是|嗯|可以|行|对|确认|取消吧|改吧|一起|yes|yeah|ok|okay|sure|please|do)/i.test(text)
