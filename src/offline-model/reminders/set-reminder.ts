import type { JsonObject, Language } from '../../contracts/words'
import { call, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { localTime, textField, textListField } from '../result-fields'
import { takeTimeOut } from '../words/find-times'
import { readChineseRequest } from './read-chinese-request'
import { readEnglishRequest } from './read-english-request'
import { isMessageText, SCHEDULE, toMessageText, whatOf, withoutTools } from './tools'
import type { ReminderRequest } from './tools'

/** "明天早上9点提醒我开会", "remind me in 10 seconds to stretch". The time goes to the tool as it was said. */
export const setReminder: Intent = (conversation, tools) => {
  const { text, untilDone } = takeUntilDone(conversation.text)
  const request = readRequest(text, conversation.language) ?? completedRequest(conversation)
  if (!request || conversation.results.length > 0) return undefined
  if (!tools.has(SCHEDULE)) return withoutTools(conversation)
  if (TWICE.test(conversation.text)) return say(conversation, ONE_AT_A_TIME)
  if (request.time === undefined) return askWhen(conversation, request.what)
  return call(SCHEDULE, {
    send_at: request.time,
    message_text: toMessageText(request.what ?? saidBefore(conversation), conversation.language),
    replace_existing: false,
    ...(untilDone ? { until_done: true } : {}),
  })
}

/** "三天后提醒我还书，再过两天提醒我续借": two requests in one sentence. */
const TWICE = /提醒我.+提醒我|\bremind me\b.+\bremind me\b/is
const ONE_AT_A_TIME = {
  zh: '我是离线模型，一次只会设一个提醒，所以什么都没有设。请一个一个说。',
  en: 'I am the offline model and set one reminder at a time, so nothing was set. Please say them one by one.',
}

const UNTIL_DONE =
  /[,，、\s]*(?:一直|不停地?|反复)?(?:提醒(?:我)?)?(?:直到|到)(?:我)?(?:.{0,6})?(?:完成|做完|做好|确认|回复|说好了?|吃完|吃了|搞定)(?:了)?(?:为止)?|[,\s]*(?:and\s+)?(?:keep|nag|repeat)(?:\s+\w+){0,3}\s+until\s+(?:i|it|i'm|it's)\b[^,.!]*|[,\s]*until\s+(?:it'?s|it is|i'?m|i am)\s+done/i

/** "直到我做完", "until it's done": said again until the person has done it. */
function takeUntilDone(text: string): { text: string; untilDone: boolean } {
  const found = UNTIL_DONE.exec(text)
  if (!found) return { text, untilDone: false }
  const rest = text.slice(0, found.index) + text.slice(found.index + found[0].length)
  return { text: rest.replace(/一直提醒我/, '提醒我').replace(/\bkeep reminding me\b/i, 'remind me'), untilDone: true }
}

/** "10分钟后再提醒我", "remind me again in 10 minutes" right after a reminder came: the same words once more. */
function saidBefore({ text, earlier }: Conversation): string | undefined {
  const last = earlier.at(-1)
  const isAgain = /再|again/i.test(text) && last?.role === 'assistant' && isMessageText(last.text)
  return isAgain ? whatOf(last.text) : undefined
}

const WHEN_ASKED = /^(?:什么时候提醒你|When should I remind you|提醒没有设好：|The reminder was not set: )/

function askWhen(conversation: Conversation, what: string | undefined): Step {
  return say(conversation, {
    zh: `什么时候提醒你${what === undefined ? '' : `“${what}”`}？比如“10分钟后”或“明天早上9点”。`,
    en: `When should I remind you${what === undefined ? '' : ` of "${what}"`}? For example "in 10 minutes" or "tomorrow at 9am".`,
  })
}

/** A bare time after we asked for one belongs to the request before it. */
function completedRequest({ text, language, earlier }: Conversation): ReminderRequest | undefined {
  const asked = earlier.at(-1)
  const before = earlier.at(-2)
  if (asked?.role !== 'assistant' || before?.role !== 'user' || !WHEN_ASKED.test(asked.text)) return undefined
  const time = takeTimeOut(text, language)?.time
  const request = readRequest(before.text, language) ?? readRequest(before.text, language === 'zh' ? 'en' : 'zh')
  return time === undefined || !request ? undefined : { time, what: request.what }
}

/** Undefined when the sentence asks for no reminder. */
export function readRequest(text: string, language: Language): ReminderRequest | undefined {
  return language === 'zh' ? readChineseRequest(text) : readEnglishRequest(text)
}

const UNTIL_NOTE: Record<Language, string> = {
  zh: '每10分钟再说一次，最多6次，直到你说“好了”',
  en: 'said again every 10 minutes, at most 6 times, until you say "done"',
}

/** "好的，我会在 … 提醒你：喝水". What it is about stands last, where a later sentence finds it again. */
export function phraseScheduled(result: JsonObject, language: Language): string {
  const replaced = textListField(result, 'cancelled_task_ids').length
  const about = [textField(result, 'timezone'), textField(result, 'phrase')].filter(Boolean)
  const when = localTime(textField(result, 'send_at'))
  const what = whatOf(textField(result, 'message_text'))
  const until = result['until_done'] === true ? UNTIL_NOTE[language] : ''
  const note = [textField(result, 'note'), until].filter(Boolean).join(' ')
  if (language === 'zh') {
    const instead = replaced > 0 ? `（取代了原来的 ${replaced} 条）` : ''
    return `好的，我会在 ${when}（${about.join('，')}）${instead}提醒你：${what}${note && `\n（${note}）`}`
  }
  const instead = replaced > 0 ? `, instead of ${replaced === 1 ? 'the one before' : `the ${replaced} before`},` : ''
  return `OK, at ${when} (${about.join(', ')})${instead} I will remind you: ${what}${note && `\n(${note})`}`
}
