import type { Language } from '../../../contracts/words'

const PREFIX: Record<Language, string> = { zh: '提醒：', en: 'Reminder: ' }
const NOTHING_SAID: Record<Language, string> = { zh: '时间到了', en: 'it is time' }

/** What is sent when it is due. */
export function toMessageText(what: string | undefined, language: Language): string {
  return PREFIX[language] + (what ?? NOTHING_SAID[language])
}

/** What a reminder is about, without the word that it is one. */
export function whatOf(messageText: string): string {
  return messageText.replace(/^(?:提醒：|Reminder: )/, '')
}
