import { say } from './language'
import type { Language } from './words'

/** Less than this is not worth a word. */
const LATE_FROM_MS = 60_000

const UNITS = [
  { ms: 86_400_000, zh: '天', en: 'day' },
  { ms: 3_600_000, zh: '小时', en: 'hour' },
  { ms: 60_000, zh: '分钟', en: 'minute' },
] as const

/** How a message that comes late says so, wherever it is read; undefined when it comes in time. */
export function describeLateness(lateByMs: number, language: Language): string | undefined {
  if (lateByMs < LATE_FROM_MS) return undefined
  const unit = UNITS.find(({ ms }) => lateByMs >= ms) ?? UNITS[2]
  const count = Math.round(lateByMs / unit.ms)
  return say(language, {
    zh: `迟到了${count}${unit.zh}`,
    en: `${count} ${unit.en}${count === 1 ? '' : 's'} late`,
  })
}
