import { computed, effect, signal } from '@preact/signals'
import { en } from './texts/en'
import type { Texts } from './texts/en'
import { zh } from './texts/zh'

export type Language = 'en' | 'zh'
const KEPT = 'punctual.language'
const byBrowser = (): Language => (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en')
const kept = localStorage.getItem(KEPT)

export const language = signal<Language>(kept === 'en' || kept === 'zh' ? kept : byBrowser())
const texts = computed<Texts>(() => (language.value === 'zh' ? zh : en))
/** The words of the language that is shown. */
export const t = (): Texts => texts.value

/** Dates in the reader's own kind of English or Chinese, where the browser says which. */
export const locale = computed(() => {
  const own = navigator.languages.find((name) => name.toLowerCase().startsWith(language.value))
  return own ?? (language.value === 'zh' ? 'zh-CN' : 'en')
})

export function chooseLanguage(value: Language): void {
  localStorage.setItem(KEPT, value)
  language.value = value
}

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
})
