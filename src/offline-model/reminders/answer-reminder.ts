import type { JsonObject, Language } from '../../contracts/words'
import { call } from '../conversation'
import type { Conversation, Intent } from '../conversation'
import { localTime, textField } from '../result-fields'
import { toPlainChinese } from '../words/chinese-text'
import { takeTimeOut } from '../words/find-times'
import { isMessageText, whatOf } from './tools'

export const SNOOZE = 'snooze_reminder'
export const ACKNOWLEDGE = 'acknowledge_reminder'

/** How the product marks a reminder that it sent, before its words. */
const SENT_MARK = /^\[reminder that was due[^\]]*\]\n/
/** A message that answers another begins with its words. */
const QUOTED = /^(?:>[^\n]*\n)+/

const LATER: Record<Language, RegExp> = {
  zh: /^(?:好的?|嗯|行|请|那)*[,，\s]*(?:稍后|稍候|待会儿?|等会儿?|等一下|等一等|等下|晚点|过会儿|一会儿)(?:再)?(?:提醒|叫|喊|说|告诉)?(?:我|一下)*[吧。.!！~]*$/,
  en: /^\s*(?:ok(?:ay)?[,\s]+)?(?:later|not now|snooze(?:\s+it)?|remind me (?:again )?later|in a (?:bit|while))(?:\s+please)?[.!]*\s*$/i,
}
const AGAIN: Record<Language, RegExp> = {
  zh: /再(?:提醒|叫|喊)(?:我|一下|一次|一遍)*[吧。.!！~]*$|^(?:推迟|延后|延迟|贪睡)/,
  en: /\bremind me again\b|^\s*snooze\b|\bagain\s*[.!]*$/i,
}
const DONE: Record<Language, RegExp> = {
  zh: /^(?:嗯|好的?|哦|OK)*[,，\s]*(?:好了|做完了|做好了|完成了?|搞定了?|弄完了|办完了|办好了|已完成|知道了|收到|吃了|吃过了|喝了|去了|已经.{1,6}了)[。.!！~]*$/i,
  en: /^\s*(?:ok(?:ay)?[,\s]+)?(?:done(?:\s+it)?|i did(?:\s+it)?|did it|it'?s done|finished|got it|all done|i'?m done|completed)[.!]*\s*$/i,
}

/** "snooze for 1 hour", "推迟半小时": how long says when. */
const LENGTH: Record<Language, RegExp> = {
  zh: /^(?:推迟|延后|延迟|贪睡)(.{1,8}?(?:分钟|小时|钟头|天))[吧。.!！~]*$/,
  en: /^\s*snooze(?:\s+it)?\s+(?:for\s+)?([a-z0-9 -]{1,20}?(?:minutes?|hours?|mins?|days?))[.!]*\s*$/i,
}

/** "10分钟后再提醒我", "later", "好了", "done": an answer to a reminder that just came, or to the one it quotes. */
export const answerReminder: Intent = (conversation, tools) => {
  const { text, language, results } = conversation
  if (results.length > 0 || !tools.has(SNOOZE) || !isAnswer(conversation)) return undefined
  const said = language === 'zh' ? toPlainChinese(text.replace(QUOTED, '')) : text.replace(QUOTED, '')
  if (DONE[language].test(said)) return call(ACKNOWLEDGE)
  if (LATER[language].test(said)) return call(SNOOZE)
  if (!AGAIN[language].test(said)) return undefined
  const length = LENGTH[language].exec(said)?.[1]
  const until =
    length === undefined ? takeTimeOut(said, language)?.time : language === 'zh' ? `${length}后` : `in ${length}`
  return call(SNOOZE, until === undefined ? {} : { until })
}

/** What we said last was a reminder, or the person answers one. */
function isAnswer({ text, earlier }: Conversation): boolean {
  if (QUOTED.test(text)) return true
  const last = earlier.at(-1)
  return last?.role === 'assistant' && (SENT_MARK.test(last.text) || isMessageText(last.text))
}

export function phraseSnoozed(result: JsonObject, language: Language): string {
  const when = localTime(textField(result, 'send_at'))
  const far = textField(result, 'phrase')
  const what = whatOf(textField(result, 'message_text'))
  return language === 'zh'
    ? `好的，${far}（${when}）再提醒你：${what}`
    : `OK, ${far} (${when}) I will remind you again: ${what}`
}

export function phraseAcknowledged(result: JsonObject, language: Language): string {
  const what = whatOf(textField(result, 'message_text'))
  return language === 'zh' ? `好的，已完成：${what}` : `OK, done: ${what}`
}
