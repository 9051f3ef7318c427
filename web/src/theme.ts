import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
const KEPT = 'punctual.theme'
const kept = localStorage.getItem(KEPT)

export const theme = signal<Theme>(THEMES.find((name) => name === kept) ?? 'system')

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
  localStorage.setItem(KEPT, theme.value)
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})
