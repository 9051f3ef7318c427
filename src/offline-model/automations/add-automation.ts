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
  const { repeat, message, isLimited, isExcepted } = request
  if (isLimited) return say(conversation, NO_LIMITS)
  if (isExcepted) return say(conversation, NO_EXCEPTIONS)
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

const NO_EXCEPTIONS = {
  zh: '我是离线模型，还不懂这样的例外或次数，所以什么都没有设。请说清楚哪些天、几点，比如“每周一到周五早上8点提醒我喝水”。',
  en: 'I am the offline model and do not understand such exceptions or counts, so nothing was set. Say the days and the clock, for example "every Monday and Thursday at 8am remind me to stretch".',
}

/** A request that repeats, taken apart: how often, and what is to be done, both in the person's words. */
interface AutomationRequest {
  repeat: string
  message: string | undefined
  /** It begins or ends some day, which the rules do not read. */
  isLimited: boolean
  /** It leaves days out or counts in a way that the rules do not read. */
  isExcepted: boolean
}

const BEGINNING = /从.{1,12}(?:开始|起)(?!床)|\b(?:today|tonight|tomorrow|next \w+) and(?: then)?\s*$/i
const LIMIT =
  /直到|为止|截止|截至|接下来|连续|持续|为期|未来|今后|\b(?:until|till|through|starting|beginning|for the next|for \S+ (?:minutes?|hours?|days?|weeks?|months?|times))\b/i
/** "周末不用", "下雨就不用", "except the first one": days that are left out, said beside how often. */
const EXCEPTION =
  /[,，]\s*(?:但是?)?(?:除了?)?[^,，]{1,12}(?:除外|不用|不要|不必|不提醒|跳过)[了吧]?\s*[。.!！]?$|^\s*,?\s*(?:except|excluding|unless|but not)\b|,\s*(?:except|excluding|unless|but not)\b/i
/** "每天提醒我喝水两次": how often, but not when. */
const COUNT = /[2-9二两三四五六七八九十几][次遍回]|\b(?:twice|thrice|(?:[2-9]|two|three|four|five|several) times)\b/i
const CLOCK = /[点时:：]|小时|分钟|\d\s*(?:am|pm)|\b(?:at|noon|midnight|hours?|minutes?|hourly)\b/i

const MARK: Record<Language, RegExp> = {
  zh: /每|逢|工作日|平日|平时|双休日|(?:法定)?节假日|隔[天日周一]|(?<![今明后昨前])天天(?!气)/,
  // "the weekly report" is a thing; only a time, a comma or a request makes the word say how often.
  en: /\b(?:every|each|weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|\b(?:daily|hourly|weekly|monthly|yearly|annually|nightly|biweekly|fortnightly|bimonthly|quarterly)\b(?=\s*(?:$|[,.;:!?]|(?:at|on|from|between|in|around|by|except|until|till|remind|tell|notify|ping|message)\b))/i,
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
  const span = mark && findSpan(plain, mark.index, language)
  if (!span) return undefined
  const said = clean(plain.slice(span.start, span.end), language)
  const exception = EXCEPTION.exec(plain.slice(span.end))
  const isRead = exception !== null && readPhrase(said + exception[0], 'UTC', new Date()).ok
  const end = isRead ? span.end + exception.index : text.length
  const rest = [text.slice(0, span.start), text.slice(span.end, end)]
    .map((part) => clean(part, language))
    .filter(Boolean)
  const message = rest.join(language === 'zh' ? '' : ' ')
  const repeat = isRead ? clean(said + exception[0], language) : said
  return {
    repeat,
    message: isEmptyAsking(message) ? undefined : message,
    isLimited: [plain.slice(0, span.start), plain.slice(span.end)].some(
      (part) => BEGINNING.test(part) || LIMIT.test(part),
    ),
    isExcepted: (exception !== null && !isRead) || (!CLOCK.test(repeat) && COUNT.test(plain.slice(span.end))),
  }
}

interface Span {
  start: number
  end: number
}

/** "every day after that at 8": what the reader leaves behind may be more of the time, and goes to the tool with it. */
const MORE_TIME = /^\s*(?:after|before|at|on|in|from|between|and|or)\b/i

function findSpan(text: string, mark: number, language: Language): Span | undefined {
  const readable = readableSpan(text, mark)
  const isCut = language === 'en' && readable !== undefined && MORE_TIME.test(text.slice(readable.end))
  return (isCut ? undefined : readable) ?? guessedSpan(text, mark, language) ?? readable
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
  const reading = readPhrase(phrase, 'UTC', new Date())
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
  /^(?:|提醒我?|告诉我|叫我|通知我|(?:设|定|订)(?:置|定)?(?:一?个)?的?(?:闹钟|提醒)|(?:remind|tell|notify|ping)\s+me(?:\s+to)?|(?:set|create|make)(?:\s+(?:up|an?|the))*\s+(?:alarm|reminder)(?:\s+for)?)$/i.test(
    toPlainChinese(message),
  )
