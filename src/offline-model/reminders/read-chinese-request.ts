import { toPlainChinese } from '../words/chinese-text'
import { parseTimeExpression } from '../../time'
import { findJoined, SEAM, takeTimeOut } from '../words/find-times'
import type { TakenApart } from '../words/find-times'
import type { ReminderRequest } from './tools'

/** "提醒我" asks by itself; "叫我", "告诉我" and a bare "提醒" ask only together with a time. */
const ASKS = /(?:提醒(?:一下|下)?我们?|叫醒我)(?:一下|一声)?/
const ASKS_WITH_TIME = /(?:叫|喊|催|通知|告诉|跟|给)(?:一下|一声)?我(?:说|发(?:一?条)?(?:消息|信息)?|一下|一声)?|提醒/
/** "设一个明天9点的提醒，开会": the time stands inside. */
const SETS =
  /(?:设置?|设定|定|订|创?建|新建|添?加|弄|上(?=一?[个条])|来)(?:好|上)?(?:一?个|一?条)?(.{0,30}?)的?(?:提醒|闹钟|闹铃|定时消息)(?:事项)?/
const QUESTION = /什么时候|几点|哪些|多少|有没有|有什么|是不是/
const POLITE =
  /^(?:[\s,，。.!！~～、:：]|请|麻烦你?|劳驾|拜托你?|帮我|帮忙|你?(?:能不能|可不可以|可以|能)|记得|别忘了?|不要忘(?:了|记)?|到时候?|那就?|好的|嗯|你好|您好|嗨|我想让?你?|我要你?|你|在|再)+/
const LEADING = /^(?:[\s,，。.!！、;；:：]|各?一次(?=\S)|的|要|记得|得|一下|一声|说|关于|内容[是为]?|在)+/
const TRAILING =
  /(?:[\s,，。.!！?？~～、;；:：]|吧|哦|啊|呀|哈|哟|好吗|可以吗|行吗|好不好|吗|记得|别忘了?|谢谢你?|谢了|多谢)+$/

export function readChineseRequest(text: string): ReminderRequest | undefined {
  const plain = toPlainChinese(text)
  const asked = ASKS.exec(plain)
  if (asked) return splitAround(text, asked)
  const set = SETS.exec(plain)
  if (set) return splitSetting(text, set)
  const maybe = ASKS_WITH_TIME.exec(plain)
  return maybe && takeTimeOut(text, 'zh') ? splitAround(text, maybe) : undefined
}

/** time + asking + what, asking + time + what, or asking + what + time. */
function splitAround(text: string, asking: RegExpExecArray): ReminderRequest | undefined {
  const before = text.slice(0, asking.index)
  if (QUESTION.test(toPlainChinese(before))) return undefined
  const lead = withoutPoliteness(before)
  const after = text.slice(asking.index + asking[0].length)
  const sentence = `${lead}${SEAM}${after}`
  const taken = takeTimeOut(sentence, 'zh')
  if (taken) return wholeTime(sentence, taken) ?? { time: taken.time, what: whatIn(taken.rest) }
  // Words where a time should be are handed on as one: the tool says what is wrong with them.
  return { time: lead === '' ? undefined : lead, what: clean(after) }
}

/**
 * What the finder would cut: several times, a day that it does not know ("大年三十晚上8点"), words before the time that say
 * how it is meant ("最晚下午4点"). It goes to the tool as it was said, which reads it or says what is wrong.
 */
function wholeTime(sentence: string, taken: TakenApart): ReminderRequest | undefined {
  const seam = sentence.indexOf(SEAM)
  const isLead = taken.end <= seam
  if (taken.start < seam && !isLead) return undefined
  const lead = sentence.slice(0, seam)
  if (isLead && EARLIER.test(lead)) return { time: lead, what: clean(sentence.slice(seam + 1)) }
  const joined = findJoined(sentence, 'zh')
  const isJoined = joined !== undefined && joined.start <= taken.end && joined.end >= taken.start
  const end = isJoined ? joined.end : taken.end
  const from = isLead ? lead.search(NOT_ME) : seam + 1
  const stretch = sentence.slice(from, end)
  const isLonger = stretch.length > taken.time.length && (isTime(stretch) || (isLead && !/[,，。;；]/.test(stretch)))
  if (!isJoined && !isLonger) return undefined
  const start = isLonger ? from : (joined?.start ?? from)
  const rest = sentence.slice(0, start) + sentence.slice(end)
  return { time: toPlainChinese(sentence.slice(start, end)).trim(), what: whatIn(rest) }
}

/** "提前提醒我" says neither when nor how much before. */
const EARLIER = /提前(?:一点|一些|一会儿?|点)?$/
const NOT_ME = /[^\s我咱们]|$/

/** Whether the reader of the tools takes it. When it is asked, and where, does not matter for that. */
function isTime(text: string): boolean {
  const reading = parseTimeExpression({ text, now: new Date(0), zone: 'UTC', language: 'zh' })
  return reading.ok || reading.code === 'past'
}

function splitSetting(text: string, set: RegExpExecArray): ReminderRequest | undefined {
  const before = text.slice(0, set.index)
  if (QUESTION.test(toPlainChinese(before))) return undefined
  const start = set.index + set[0].indexOf(set[1] ?? '', 1)
  const inside = text.slice(start, start + (set[1]?.length ?? 0))
  const parts = [withoutPoliteness(before), inside, text.slice(set.index + set[0].length)].join(SEAM)
  const taken = takeTimeOut(parts, 'zh')
  return { time: taken?.time, what: whatIn(taken?.rest ?? parts) }
}

/** What stood before the asking words may still be polite ("5分钟后请"); what stands after them is what they want. */
function whatIn(rest: string): string | undefined {
  const [before = '', ...after] = rest.split(SEAM)
  return clean([withoutPoliteness(before), ...after].join(' '))
}

function withoutPoliteness(text: string): string {
  const polite = POLITE.exec(toPlainChinese(text))?.[0].length ?? 0
  return text.slice(polite).replace(/[\s,，]+$/, '')
}

function clean(text: string): string | undefined {
  const plain = toPlainChinese(text)
  const start = LEADING.exec(plain)?.[0].length ?? 0
  const end = TRAILING.exec(plain)?.index ?? plain.length
  const what = text.slice(start, Math.max(start, end)).replaceAll(/\s+/g, ' ').trim()
  return what === '' ? undefined : what
}
