import type { Conversation } from '../conversation'
import { takeChineseWhen } from './chinese-when'
import { takeEnglishWhen } from './english-when'
import type { Taken } from './when'

export function takeWhen(text: string, { language, facts }: Pick<Conversation, 'language' | 'facts'>): Taken {
  return language === 'zh' ? takeChineseWhen(text, facts) : takeEnglishWhen(text, facts)
}
