import type { Session } from '../conversation/session'
import type { Language } from './words'

/** What people read, in every language of the product. */
export type Texts = Record<Language, string>

/** Words of the product in the language of whoever reads them. */
export const say = (language: Language, texts: Texts): string => texts[language]

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
