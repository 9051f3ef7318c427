import type { Language } from '../../../contracts/words'
import { splitChinese } from './split-chinese'
import { splitEnglish } from './split-english'

/** A wish to be reminded, taken apart: the time in the person's words, and what is to be said then. */
export interface ReminderRequest {
  time: string | undefined
  what: string | undefined
}

/** Undefined when the sentence asks for no reminder. */
export function splitRequest(text: string, language: Language): ReminderRequest | undefined {
  return language === 'zh' ? splitChinese(text) : splitEnglish(text)
}
