import type { Language } from '../../contracts/words'
import { readPhrase } from '../../time'
import { call, say } from '../conversation'
import type { Intent } from '../conversation'
import { toPlainChinese } from '../words/chinese-text'
import { CRON, withoutCron } from './results'

/** "每天早上8点提醒我喝水", "every weekday at 9am tell me the weather". How often goes to the tool as it was said. */
export const addAutomation: Intent = (conversation, tools) => {
  const request = readAutomation(conversation.text, conversation.language)
  if (!request || conversation.results.length > 0) return undefined
  if (!tools.has(CRON)) return withoutCron(conversation)
  const { repeat, message, isLimited } = request
  if (isLimited) return say(conversation, NO_LIMITS)
  if (message !== undefined) return call(CRON, { action: 'add', message, repeat })
  return say(conversation, {
    zh: `${repeat}要做什么？比如“${repeat}提醒我喝水”。`,
    en: `What should I do ${repeat}? For example "${repeat} remind me to stretch".`,
  })
}

const NO_LIMITS = {
  zh: '我是离线模型，还不懂重复从哪天开始、到哪天为止，所以什么都没有设。可以先说“每天早上8点提醒我喝水”，以后再取消。',
  en: 'I am the offline model and do not understand when something that repeats begins or ends, so nothing was set. Say "every day at 8am remind me to stretch", and cancel it later.',
}

/** A request that repeats, taken apart: how often, and what is to be done, both in the person's words. */
interface AutomationRequest {
  repeat: string
  message: string | undefined
  /** It begins or ends some day, which the rules do not read. */
  isLimited: boolean
}

const BEGINNING = /从.{1,12}(?:开始|起)(?!床)/
const LIMIT =
  /直到|为止|截止|截至|接下来|连续|未来|今后|\b(?:until|till|through|starting|beginning|for the next|for \S+ (?:days?|weeks?|months?|times))\b/i

const MARK: Record<Language, RegExp> = {
  zh: /每|逢|工作日|隔[天日周一]|天天/,
  // "the weekly report" is a thing; only a time, a comma or a request makes the word say how often.
  en: /\b(?:every|each|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|\b(?:daily|hourly|weekly|monthly|yearly|annually|nightly)\b(?=\s*(?:$|[,.;:!?]|(?:at|on|from|between|in|around|by|except|until|till|remind|tell|notify|ping|message)\b))/i,
}
const QUESTION =
  /^\s*(?:what|when|which|how|why|who|where)\b|^\s*(?:do|does|did|is|are)\b.*\?\s*$|^(?:为什么|什么|怎么|谁)|^(?!.*(?:提醒|告诉|叫)我).*[吗呢][?？]?\s*$/is
/** "不要每天8点提醒我" ends something; "别忘了" does not. */
const ENDING =
  /不要(?!忘)|不用|别(?!忘)|取消|停止|删|\b(?:stop|cancel|delete|never|no longer|don'?t(?! forget)|do not(?! forget))\b/i
const LONGEST_SENTENCE = 300
const LONGEST_PHRASE = 80

/** Undefined when nothing repeats: "明早九点提醒我" is one reminder, and "what do you do every day?" a question. */
function readAutomation(text: string, language: Language): AutomationRequest | undefined {
  if (text.length > LONGEST_SENTENCE || QUESTION.test(text)) return undefined
  const plain = language === 'zh' ? toPlainChinese(text) : text
  const mark = MARK[language].exec(plain)
  if (mark && ENDING.test(plain.slice(0, mark.index))) return undefined
  const span = mark && (readableSpan(plain, mark.index) ?? guessedSpan(plain, mark.index, language))
  if (!span) return undefined
  const rest = [text.slice(0, span.start), text.slice(span.end)].map((part) => clean(part, language)).filter(Boolean)
  const message = rest.join(language === 'zh' ? '' : ' ')
  return {
    repeat: clean(plain.slice(span.start, span.end), language),
    message: isEmptyAsking(message) ? undefined : message,
    isLimited: BEGINNING.test(plain) || LIMIT.test(plain.slice(0, span.start)) || LIMIT.test(plain.slice(span.end)),
  }
}

interface Span {
  start: number
  end: number
}

/** The longest stretch around the mark that the recurrence reader understands; it begins and ends between words. */
function readableSpan(text: string, mark: number): Span | undefined {
  let best: Span | undefined
  for (let start = mark; start >= Math.max(0, mark - 30); start -= 1) {
    if (!isBoundary(text, start)) continue
    for (let end = Math.min(text.length, start + LONGEST_PHRASE); end > mark; end -= 1) {
      if (best && end - start <= best.end - best.start) break
      if (isBoundary(text, end) && isReadable(text.slice(start, end))) best = { start, end }
    }
  }
  return best
}

/** What is understood and cannot be kept goes to the tool too, which says why. */
function isReadable(phrase: string): boolean {
  const reading = readPhrase(phrase, 'UTC')
  return reading.ok || (reading.code !== 'not_understood' && reading.code !== 'range' && /\S/.test(phrase))
}

const isBoundary = (text: string, at: number): boolean =>
  !/[a-z0-9][a-z0-9]/i.test(text.slice(Math.max(0, at - 1), at + 1)) || at === 0

const ASKING: Record<Language, RegExp> = {
  zh: /提醒|告诉我|叫我|通知我/,
  en: /\b(?:remind|tell|notify|ping|message)\s+me\b/i,
}

/** Words nobody understands, up to where the person asks for something: the tool says what is wrong with them. */
function guessedSpan(text: string, mark: number, language: Language): Span | undefined {
  const asking = ASKING[language].exec(text.slice(mark))
  return asking && asking.index > 1 ? { start: mark, end: mark + asking.index } : undefined
}

const LEADING: Record<Language, RegExp> = {
  zh: /^(?:[\s,，。.!！、:：]|请|麻烦你?|帮我|帮忙|你(?:能不能|可以|能)?|我想让?你?|我要你?|那就?|好的|你好|就|都|记得|在)+/,
  en: /^(?:[\s,.!:]|(?:please|can you|could you|would you|hi|hello|hey|ok|and|then|i want you to|i'd like you to)(?=[\s,]))+/i,
}
const TRAILING = /(?:[\s,，。.!！?？、:：;；]|吧|哦|啊|好吗|可以吗|吗|谢谢你?|\b(?:please|pls|thanks|thank you)\b)+$/i

function clean(part: string, language: Language): string {
  return part.replace(LEADING[language], '').replace(TRAILING, '').trim()
}

const isEmptyAsking = (message: string): boolean =>
  /^(?:|提醒我?|告诉我|叫我|通知我|(?:remind|tell|notify|ping)\s+me(?:\s+to)?)$/i.test(toPlainChinese(message))
