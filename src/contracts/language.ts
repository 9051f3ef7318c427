import type { Session } from '../conversation/session'
import type { Language } from './words'

/** The language of a text, by its script. */
export function detectLanguage(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}

/**
 * The language in which a person is spoken to: the one their session is set to, else that of what they asked for: the
 * language that was kept with it, or its words.
 */
export function languageOfPerson(
  { language }: Pick<Session, 'language'>,
  asked: { language: Language } | { words: string },
): Language {
  if (language) return language
  return 'words' in asked ? detectLanguage(asked.words) : asked.language
}
