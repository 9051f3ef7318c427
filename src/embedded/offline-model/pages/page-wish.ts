import type { Language } from '../../../contracts/words'

/** What the person wants a page for, as `html_to_app` says it. */
export interface PageWish {
  name: string
  description: string
  language: Language
}

export const inLanguage = ({ language }: PageWish, zh: string, en: string): string => (language === 'zh' ? zh : en)
