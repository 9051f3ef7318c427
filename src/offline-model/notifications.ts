import type { JsonObject, Language } from '../contracts/words'
import { call, say } from './conversation'
import type { Conversation, Intent, Step } from './conversation'
import { toPlainChinese } from './words/chinese-text'

export const NOTIFICATIONS = 'set_notifications'

const PUSH = /推送|群发|\b(?:push(?:es|ed)?|notifications?|promotional messages?)\b/i
const OFF = /停止|停掉|不要|别再|别给|关闭|关掉|取消|退订|不想|\b(?:stop|no more|turn off|disable|unsubscribe|mute)\b/i
const ON = /恢复|打开|开启|重新|继续|\b(?:resume|turn on|enable|start|again)\b/i
const QUIET = /免打扰|勿扰|静音时段|安静时段|别打扰我|不要打扰我|\b(?:quiet hours|do not disturb|don't disturb me)\b/i
const NO_QUIET =
  /(?:取消|关闭|关掉|不要|没有).{0,4}(?:免打扰|勿扰|静音时段|安静时段)|\b(?:no|turn off|disable|cancel) (?:my )?quiet hours\b/i
const CHINESE_SPAN =
  /(?:从)?\s*([^，,。\s从到至]{2,10}?(?:点半?|时|:\d{2}))\s*(?:到|至|-|~)\s*([^，,。\s]{2,10}?(?:点半?|时|:\d{2}))/
const ENGLISH_SPAN =
  /(?:from|between)?\s*(\d{1,2}(?::\d{2})?\s*(?:am|pm)?)\s*(?:to|until|till|and|-)\s*(\d{1,2}(?::\d{2})?\s*(?:am|pm)?)/i

/** "停止推送", "stop pushes", "晚上10点到早上7点不要打扰我": what the person wants to hear, and when. */
export const setNotifications: Intent = (conversation, tools) => {
  if (conversation.results.length > 0) return undefined
  const text = toPlainChinese(conversation.text)
  const args = NO_QUIET.test(text) ? { quiet_hours_off: true } : QUIET.test(text) ? readSpan(text) : readPushes(text)
  if (args === undefined) return undefined
  if (args === 'which_hours') return askHours(conversation)
  if (tools.has(NOTIFICATIONS)) return call(NOTIFICATIONS, args)
  return say(conversation, { zh: '这里不能更改推送设置。', en: 'Push settings cannot be changed here.' })
}

function readPushes(text: string): { pushes: boolean } | undefined {
  if (!PUSH.test(text)) return undefined
  if (OFF.test(text)) return { pushes: false }
  return ON.test(text) ? { pushes: true } : undefined
}

function readSpan(text: string): { quiet_start: string; quiet_end: string } | 'which_hours' {
  const found = CHINESE_SPAN.exec(text) ?? ENGLISH_SPAN.exec(text)
  return found ? { quiet_start: found[1]!.trim(), quiet_end: found[2]!.trim() } : 'which_hours'
}

const askHours = (conversation: Conversation): Step =>
  say(conversation, {
    zh: '从几点到几点？比如“晚上10点到早上7点免打扰”。',
    en: 'From when until when? For example "quiet hours from 10pm to 7am".',
  })

/** How the settings stand now. */
export function phraseNotifications(result: JsonObject, language: Language): string {
  const pushes = result['pushes'] === true
  const quiet = result['quiet_hours'] as { start?: unknown; end?: unknown } | null
  const hours = quiet ? `${String(quiet.start)}–${String(quiet.end)}` : undefined
  if (language === 'zh') {
    return `好的，推送已${pushes ? '开启' : '关闭'}${hours ? `，免打扰时段是 ${hours}` : '，没有免打扰时段'}。`
  }
  return `OK: pushes are ${pushes ? 'on' : 'off'}, ${hours ? `quiet hours are ${hours}` : 'there are no quiet hours'}.`
}
