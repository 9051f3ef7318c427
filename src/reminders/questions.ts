import { ASKS } from '../contracts/asks'
import { say } from '../contracts/language'
import type { Language } from '../contracts/words'

/** What is to be done with the one that is meant. */
export type ReminderVerb = 'cancel' | 'change'

/** Which of several reminders is meant; they are numbered as they are listed. */
export function askWhichReminder(
  reminders: { at: string; text: string }[],
  verb: ReminderVerb,
  language: Language,
): string {
  const list = reminders.map(({ at, text }, index) => `${index + 1}. ${at} ${text}`).join('\n')
  const head = say(language, {
    zh: `你有 ${reminders.length} 条等待中的提醒：`,
    en: `You have ${reminders.length} ${reminders.length === 1 ? 'reminder' : 'reminders'} waiting:`,
  })
  return `${head}\n${list}\n${ASKS[verb][language]}`
}

/** That a reminder was not set, and what is wrong with its time. */
export const askAnotherTime = (why: string, language: Language) =>
  say(language, { zh: `提醒没有设好：${why}`, en: `The reminder was not set: ${why}` })
