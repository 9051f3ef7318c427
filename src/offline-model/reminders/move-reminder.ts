import type { JsonObject, Language } from '../../contracts/words'
import { call, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { toPlainChinese } from '../words/chinese-text'
import { isClockAlone, isDayAlone, isDuration, takeTimeOut } from '../words/find-times'
import { readSelector } from '../words/selector'
import type { Selector } from '../words/selector'
import { askWhich, phraseList } from './list-reminders'
import { phraseScheduled } from './set-reminder'
import { CANCEL, choose, LIST, listedPending, SCHEDULE, toMessageText, UPDATE, withoutTools } from './tools'
import type { Pending } from './tools'

/**
 * "改到10点", "move it to 10am", "把第2个提醒的内容改成买牛奶": one that is pointed at is looked up in the list first, then
 * changed in one step. Where that tool is not offered: list → set anew with the same words → cancel the old one, in this
 * order, so that a time that cannot be used costs nothing.
 */
export const moveReminder: Intent = (conversation, tools) => {
  const request = readMoveRequest(conversation)
  if (!request) return undefined
  if (![SCHEDULE, CANCEL, LIST].every((name) => tools.has(name))) return withoutTools(conversation)
  const { time, words } = request
  if (words === undefined && ALL.test(conversation.text)) return say(conversation, ONE_AT_A_TIME)
  if (time === undefined && words === undefined) return askTime(conversation)
  if (conversation.results.length === 0) return call(LIST)
  const pending = listedPending(conversation.results)
  return pending && moveOne(pending, request, conversation, tools)
}

function moveOne(
  pending: Pending[],
  request: MoveRequest,
  conversation: Conversation,
  tools: ReadonlySet<string>,
): Step | undefined {
  const { language, results } = conversation
  const [meant, ...others] = choose(pending, request.selector, conversation)
  if (!meant) return { text: phraseList(pending, language) }
  if (others.length > 0) return { text: askWhich(pending, 'move', language) }
  const { time, words } = request
  const unclear = time === undefined ? undefined : halfUnclear(time, meant.sendAt, language)
  if (unclear && results.at(-1)?.name === LIST) return say(conversation, unclear)
  if (tools.has(UPDATE)) {
    if (results.some(({ name }) => name === UPDATE)) return undefined
    const args: JsonObject = { task_id: meant.taskId }
    if (time !== undefined) args['send_at'] = time
    if (words !== undefined) args['message_text'] = toMessageText(words, language)
    return call(UPDATE, args)
  }
  return time === undefined ? askTime(conversation) : setAnew(pending, meant, time, conversation)
}

function setAnew(pending: Pending[], meant: Pending, time: string, conversation: Conversation): Step | undefined {
  const { language } = conversation
  const isOnly = pending.length === 1
  const tries = conversation.results.filter(({ name }) => name === SCHEDULE)
  if (tries.some(({ result }) => result['success'] === true)) return isOnly ? undefined : cancelOld(meant, conversation)
  const next = [keepTheRest(time, meant.sendAt, language), time].filter((text) => text !== undefined)[tries.length]
  if (next === undefined) return undefined
  return call(SCHEDULE, { send_at: next, message_text: meant.messageText, replace_existing: isOnly })
}

/** Once; then the new time is said, which is the last result but one. */
function cancelOld(old: Pending, conversation: Conversation): Step | undefined {
  const { results, language } = conversation
  if (!results.some(({ name }) => name === CANCEL)) return call(CANCEL, { task_id: old.taskId })
  const set = results.findLast(({ name }) => name === SCHEDULE)
  return set && { text: phraseMoved(set.result, results.at(-1)?.result ?? {}, language) }
}

const ALL = /都(?=[改挪换推移调延提])|全部|所有|\b(?:all|both|everything)\b/i
const ONE_AT_A_TIME = {
  zh: '我一次只会改一条，所以什么都没有改。请说是哪一条，比如“第2个改到10点”。',
  en: 'I can move only one at a time, so nothing was changed. Say which one, for example "move the second reminder to 10am".',
}

function askTime(conversation: Conversation): Step {
  return say(conversation, {
    zh: '改到什么时候？请说新的时间，比如“改到10点”。',
    en: 'To what time? Say the new one, for example "move it to 10am".',
  })
}

/** A move that had to cancel the old one by itself, which may have come too late. */
function phraseMoved(set: JsonObject, cancelled: JsonObject, language: Language): string {
  const said = phraseScheduled(set, language)
  if (cancelled['success'] === true) return said
  return language === 'zh' ? `（原来的那条没能取消。）${said}` : `(The old one could not be cancelled.) ${said}`
}

interface MoveRequest {
  /** In the person's words; undefined when they only said by how much, or mean the text. */
  time: string | undefined
  /** What it is to say from now on. */
  words?: string
  selector: Selector
}

const CHINESE_MOVE = /(?:改期?|挪|换|调整?|推迟|延后|延迟|延|提前|推|移)(?:一下)?(?:时间)?(?:到|成|为|至|在)/
const CHINESE_BY = /推迟|延后|延迟|提前/
const ENGLISH_MOVE =
  /\b(?:move|change|reschedule|push|shift|postpone|delay|bring)\b(.{0,80}?)\b(?:to|until|till|for)\s+(.+)$|\bmake\s+(it)\s+(.+)$/i
const ENGLISH_BY = /\b(?:postpone|delay|snooze|push back)\b/i
const REMINDER = /提醒|闹钟|定时|\b(?:reminders?|alarms?|it|that|this)\b/i

/** Undefined when nothing is to be moved: "提醒我把会议改到10点" sets a reminder. */
function readMoveRequest(conversation: Conversation): MoveRequest | undefined {
  return conversation.language === 'zh' ? readChinese(conversation.text) : readEnglish(conversation.text)
}

const CHINESE_WORDS = /(?:的?(?:内容|文字|文本|话))?(?:改|换)(?:一下)?(?:成|为)(?:提醒我?)?[:：“"]?(.+?)[”"。!！]?$/
const ENGLISH_WORDS =
  /\b(?:change|edit|reword|rewrite|update)\b(.{0,80}?)\b(?:to say|to read|text to|words to|wording to|message to|so (?:that )?it says)\b[:\s"“]*(.+?)["”.!]?$/i

/** "把喝水的提醒改成喝茶": words where a time could stand, that are none. */
function readChineseWords(text: string, plain: string): MoveRequest | undefined {
  const found = CHINESE_WORDS.exec(plain)
  if (!found?.[1] || !REMINDER.test(plain) || takeTimeOut(found[1], 'zh')) return undefined
  const words = text.slice(found.index + found[0].indexOf(found[1])).slice(0, found[1].length)
  return {
    time: undefined,
    words,
    selector: readSelector(text.slice(0, found.index).replace(/内容|文字|文本/, ''), 'zh'),
  }
}

function readEnglishWords(text: string): MoveRequest | undefined {
  const found = ENGLISH_WORDS.exec(text)
  if (!found?.[2] || !REMINDER.test(found[1] ?? '')) return undefined
  const target = (found[1] ?? '').replaceAll(/\b(?:text|words|wording|message)\b/gi, '')
  return { time: undefined, words: found[2].trim(), selector: readSelector(target, 'en') }
}

function readChinese(text: string): MoveRequest | undefined {
  const plain = toPlainChinese(text)
  if (/^(?:请|帮我|麻烦你?|记得)*提醒我|(?:提前|推迟).{0,8}提醒我/.test(plain)) return undefined
  const reworded = readChineseWords(text, plain)
  if (reworded) return reworded
  const verb = CHINESE_MOVE.exec(plain)
  if (!verb) return CHINESE_BY.test(plain) && REMINDER.test(plain) ? { time: undefined, selector: UNSAID } : undefined
  const selector = readSelector(text.slice(0, verb.index), 'zh')
  const tail = text.slice(verb.index + verb[0].length)
  const time = timeIn(tail, 'zh')
  return time !== undefined || REMINDER.test(plain) ? { time: time ?? strange(tail), selector } : undefined
}

function readEnglish(text: string): MoveRequest | undefined {
  if (/\bremind me\b/i.test(text)) return undefined
  const reworded = readEnglishWords(text)
  if (reworded) return reworded
  const verb = ENGLISH_MOVE.exec(text)
  if (!verb) return ENGLISH_BY.test(text) && REMINDER.test(text) ? { time: undefined, selector: UNSAID } : undefined
  const target = verb[1] ?? verb[3] ?? ''
  const tail = verb[2] ?? verb[4] ?? ''
  const time = timeIn(tail, 'en')
  const isMeant = REMINDER.test(target) || (time !== undefined && target.trim() === '')
  return isMeant ? { time: time ?? strange(tail), selector: readSelector(target, 'en') } : undefined
}

const UNSAID: Selector = { kind: 'unsaid' }
const timeIn = (tail: string, language: 'zh' | 'en') => takeTimeOut(tail, language)?.time
/** What is no time to us goes to the tool all the same: it knows more, and says what is wrong. */
const strange = (tail: string) => tail.replace(/[\s,，。.!！?？吧]+$/, '').trim() || undefined

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * What a new time leaves out stays as it was: "改到10点" keeps the day, "改成明天" keeps the clock. Undefined when it says both.
 */
function keepTheRest(time: string, sendAt: string, language: Language): string | undefined {
  const clock = /T(\d\d:\d\d)/.exec(sendAt)?.[1]
  const isDay = isDayAlone(time, language) && !isDuration(time) && clock !== undefined
  if (isDay) return language === 'zh' ? `${time}${clock}` : `${time} at ${clock}`
  return onTheSameDay(time, sendAt, language)
}

/**
 * "改到10点" means ten o'clock on the day the reminder was set for, in the same half of that day. It is said to the tool
 * as a date and a clock; nothing is computed here. Undefined when the time names its own day.
 */
function onTheSameDay(time: string, sendAt: string, language: Language): string | undefined {
  const old = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)/.exec(sendAt)
  if (!old || !isClockAlone(time, language)) return undefined
  const [, , month, day, hour] = old.map(Number)
  if (month === undefined || day === undefined || hour === undefined) return undefined
  if (language === 'zh') return `${month}月${day}日${chineseHalf(time, hour)}${time}`
  return `${MONTHS[month - 1]} ${day} at ${time}`
}

/** "改到7点" for a reminder at 5 pm: in the morning, or two hours later? It is asked, not guessed. */
function halfUnclear(time: string, sendAt: string, language: Language): Record<Language, string> | undefined {
  const oldHour = Number(/T(\d\d)/.exec(sendAt)?.[1])
  const bare = language === 'zh' ? /^([七八九十]|十一|7|8|9|10|11)点/ : /^(?:at\s+)?(7|8|9|10|11)(?::\d\d)?$/
  if (!bare.test(time.trim()) || oldHour < 12 || (language === 'zh' && oldHour >= 18)) return undefined
  return {
    zh: `“${time}”是早上还是晚上？请再说一次，比如“改到晚上${time}”。`,
    en: `Is "${time}" in the morning or in the evening? Say it again, for example "move it to ${time.replace(/^at\s+/, '')}pm".`,
  }
}

/** Only the small hours follow the old half of the day: "4点" for a 3 pm reminder, "9点" for one at 8 pm. */
function chineseHalf(time: string, oldHour: number): string {
  const hour = /^([0-9]{1,2}|[一二两三四五六七八九十]{1,2})(?:点|:)/.exec(time)?.[1]
  if (hour === undefined) return ''
  const said = '一二三四五六七八九十'.indexOf(hour.replace('两', '二')) + 1 || Number(hour)
  if (oldHour >= 12 && said >= 1 && said <= 6) return '下午'
  return oldHour >= 18 && said >= 7 && said <= 11 ? '晚上' : ''
}
