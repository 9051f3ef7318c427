import { signal } from '@preact/signals'

/** What a screen reader is told when something changes that has no focus. */
export const announcement = signal('')
export const announce = (text: string) => void (announcement.value = text)

/** One short sentence at the foot of the page, for a while. */
export const notice = signal<{ text: string; tone: 'good' | 'bad' } | null>(null)
const SHOWN_MS = 6_000
let hide: ReturnType<typeof setTimeout> | undefined

export function notify(text: string, tone: 'good' | 'bad' = 'good'): void {
  notice.value = { text, tone }
  clearTimeout(hide)
  hide = setTimeout(() => (notice.value = null), SHOWN_MS)
}
