import { ASKS } from '../../contracts/asks'
import type { Language } from '../../contracts/words'
import { call } from '../conversation'
import type { Intent } from '../conversation'
import { localTime } from '../result-fields'
import { toPlainChinese } from '../words/chinese-text'
import { LIST, whatOf, withoutTools } from './tools'
import type { Pending } from './tools'

const CHINESE =
  /(?:哪些|什么|啥|几个|几条|几点|多少|有没有|有无|列出|列一下|列表|查看|查一下|查询|看看|看一下|看下|显示|所有|全部|我的|还有).*(?:提醒|闹钟|定时消息|定时)|(?:提醒|闹钟|定时消息).*(?:哪些|列表|什么|几个|几条|多少|吗)|^\s*(?:提醒|闹钟)\s*[?？]?\s*$/
const ENGLISH =
  /\b(?:what|which|any|list|show|see|view|check|how many|do i have|when|all|my)\b.*\b(?:reminders?|alarms?|scheduled messages?|scheduled|remind(?:ing)? me)\b|^\s*reminders?\s*\??\s*$/i

/** "我有哪些提醒？", "what reminders do I have". */
export const listReminders: Intent = (conversation, tools) => {
  const asked =
    conversation.language === 'zh' ? CHINESE.test(toPlainChinese(conversation.text)) : ENGLISH.test(conversation.text)
  if (!asked || conversation.results.length > 0) return undefined
  return tools.has(LIST) ? call(LIST) : withoutTools(conversation)
}

export function phraseList(pending: Pending[], language: Language): string {
  if (pending.length === 0) return language === 'zh' ? '现在没有等待中的提醒。' : 'You have no reminders waiting.'
  const head =
    language === 'zh'
      ? `你有 ${pending.length} 条等待中的提醒：`
      : `You have ${pending.length} ${pending.length === 1 ? 'reminder' : 'reminders'} waiting:`
  return `${head}\n${phraseLines(pending, language)}`
}

function phraseLines(pending: Pending[], language: Language): string {
  return pending.map((reminder, at) => `${at + 1}. ${phraseLine(reminder, language)}`).join('\n')
}

function phraseLine({ sendAt, phrase, messageText }: Pending, language: Language): string {
  const far = phrase === '' ? '' : language === 'zh' ? `（${phrase}）` : ` (${phrase})`
  return `${localTime(sendAt)}${far}${language === 'zh' ? '' : ' '}${whatOf(messageText)}`
}

const WHICH: Record<'cancel' | 'move', Record<Language, string>> = {
  cancel: ASKS.cancel,
  move: { zh: '要改哪一条？可以说“把第2个提醒改到…”。', en: 'Which one should I move? Say "move reminder 2 to …".' },
}

export function askWhich(pending: Pending[], verb: 'cancel' | 'move', language: Language): string {
  return `${phraseList(pending, language)}\n${WHICH[verb][language]}`
}

export const CANCEL_ASKED = new RegExp(`${WHICH.cancel.zh}|${WHICH.cancel.en.replace('?', '\\?')}`)
